//! A whole card of a kind, with a place to stop at for everything that must be said.

use banneret_compiler::names::short;
use banneret_compiler::signature::{EnumInfo, FieldInfo, KeyName, KindInfo, enum_info, kind_by_key};
use banneret_compiler::ty::Ty;
use banneret_grammar::ast::FieldRole;
use smol_str::SmolStr;

use super::Place;
use super::entry::escaped;

/// Numbers the places of a snippet.
pub(crate) struct Stops {
    next: u32,
}

impl Stops {
    pub fn new() -> Self {
        Self { next: 1 }
    }

    pub fn stop(&mut self, inside: &str) -> String {
        let n = self.next;
        self.next += 1;
        format!("${{{n}:{}}}", escaped(inside))
    }
}

/// `unit ${1:Name} of ${2:Faction} { … }`
pub(crate) fn card(place: &Place<'_>, info: &KindInfo) -> String {
    let mut stops = Stops::new();
    let mut out = format!("{} {}", info.word, stops.stop("Name"));
    if let Some(of) = info.of_field().filter(|f| !f.has_default) {
        out.push_str(&format!(" of {}", stops.stop(kind_word(&of.ty))));
    }
    out.push_str(&block(place, info, &mut stops, 1));
    out
}

/// `weapon ${1:Name} { … }`, one line if little must be said.
pub(crate) fn part(place: &Place<'_>, info: &KindInfo) -> String {
    let mut stops = Stops::new();
    let head = format!("{} {}", info.word, stops.stop("Name"));
    let needed: Vec<&FieldInfo> = needed(info);
    if needed.iter().any(|f| is_block(&f.ty)) || needed.len() > 6 {
        return head + &block(place, info, &mut stops, 1);
    }
    let fields: Vec<String> = needed.iter().map(|f| field(place, f, &mut stops)).collect();
    if fields.is_empty() {
        return format!("{head} {{\n  $0\n\\}}");
    }
    format!("{head} {{ {}$0 \\}}", fields.join(", "))
}

fn block(place: &Place<'_>, info: &KindInfo, stops: &mut Stops, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let mut lines: Vec<String> = Vec::new();
    for f in needed(info) {
        match &f.ty {
            Ty::Table { sides, of } => {
                for face in 1..=*sides {
                    let row = kind_by_key(place.ide.db, place.ide.universe, of);
                    let fields = row.map(needed).unwrap_or_default();
                    let inner: Vec<String> = fields.iter().map(|f| field(place, f, stops)).collect();
                    lines.push(format!(
                        "{face} {} {{ {}\\}}",
                        stops.stop("Name"),
                        inner.iter().map(|l| format!("{l} ")).collect::<String>()
                    ));
                }
            }
            _ => lines.push(field(place, f, stops)),
        }
    }
    let body: String = lines.iter().map(|l| format!("{indent}{l}\n")).collect();
    format!(" {{\n{body}{indent}$0\n\\}}")
}

/// What a card of a kind must say.
fn needed(info: &KindInfo) -> Vec<&FieldInfo> {
    info.fields.iter().map(|f| &**f).filter(|f| f.role == FieldRole::Plain && !f.has_default).collect()
}

pub(crate) fn is_block(ty: &Ty) -> bool {
    match ty {
        Ty::Optional(t) => is_block(t),
        Ty::Effect(_) | Ty::Rules | Ty::Table { .. } => true,
        _ => false,
    }
}

/// A field with a place for its value.
pub(crate) fn field(place: &Place<'_>, f: &FieldInfo, stops: &mut Stops) -> String {
    match bare(&f.ty) {
        Ty::Effect(_) | Ty::Rules => format!("{} {{ {} \\}}", f.name, stops.stop("")),
        Ty::Choice(kind) => {
            let name = stops.stop("name");
            let plural = kind_by_key(place.ide.db, place.ide.universe, kind).map(|k| k.plural.to_string()).unwrap_or_default();
            format!("{} {name}: {}", f.name, stops.stop(&plural))
        }
        _ => {
            let (before, value, after) = sample(place, f);
            format!("{}: {before}{}{after}", f.name, stops.stop(&value))
        }
    }
}

/// A value that would do: what stands around the place, and in it.
fn sample(place: &Place<'_>, f: &FieldInfo) -> (&'static str, String, &'static str) {
    let low = f.range.low;
    match bare(&f.ty) {
        Ty::Int(_) => ("", low.unwrap_or(1).max(0).to_string(), ""),
        Ty::Target(r) => ("", format!("{}+", r.low.unwrap_or(4).max(4).min(r.high.unwrap_or(9))), ""),
        Ty::Dice => ("", "d6".into(), ""),
        Ty::Percent => ("", "50%".into(), ""),
        Ty::Bool => ("", "true".into(), ""),
        Ty::Text => ("\"", "text".into(), "\""),
        Ty::Picture => ("\"", "picture.png".into(), "\""),
        Ty::Length(_) => {
            let sign = super::values::signs(place).into_iter().next().unwrap_or_else(|| SmolStr::new("\""));
            ("", format!("{}{sign}", low.map_or(1, |l| (l / 1000).max(1))), "")
        }
        Ty::Pair(_) => ("", "1/1".into(), ""),
        Ty::Cost => ("", format!("1 {}", super::values::resources(place).into_iter().next().unwrap_or_default()), ""),
        Ty::Enum(key) => ("", first_member(place, key), ""),
        Ty::Set(inner) | Ty::List(inner) => match &**inner {
            Ty::Enum(key) => ("[", first_member(place, key), "]"),
            _ => ("[", String::new(), "]"),
        },
        ty => ("", kind_word(ty).to_owned(), ""),
    }
}

fn first_member(place: &Place<'_>, key: &SmolStr) -> String {
    let info: &EnumInfo = enum_info(place.ide.db, place.ide.universe, KeyName::new(place.ide.db, key.clone()));
    info.members.first().map(|(n, _)| n.to_string()).unwrap_or_default()
}

pub(crate) fn bare(ty: &Ty) -> &Ty {
    match ty {
        Ty::Optional(t) => t,
        t => t,
    }
}

fn kind_word(ty: &Ty) -> &str {
    match bare(ty) {
        Ty::Kind(key) => short(key),
        _ => "",
    }
}
