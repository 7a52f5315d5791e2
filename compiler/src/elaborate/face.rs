//! `face`: how one side of a card is printed. Settings say how large everything is, regions what stands there.

use banneret_grammar::ast::{self, Line, RegionBit, Word};
use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::diagnostic::Diagnostic;
use crate::hir::{self, ExprKind, RegionKind, Sides, Template, TextPart};
use crate::items::DeclKind;
use crate::language::{FACE_SETTINGS, FaceSetting, REGION_OPTIONS, REGIONS, face_setting, region_called};
use crate::names::key_of;
use crate::suggest::nearest;
use crate::ty::Ty;

use super::Cx;
use super::cx::expr;

impl<'db> Cx<'db> {
    pub(super) fn face(&mut self, f: &ast::Face) -> hir::Item {
        let Some(of) = &f.of else {
            self.report(
                Diagnostic::error("missing-kind", f.name.span, "It is not said whose face this is.")
                    .help("Write `face front of Unit { … }`."),
            );
            return hir::Item::Nothing;
        };
        let Some(found) = self.find_word(of, &[DeclKind::Kind]) else {
            let d = Diagnostic::error("unknown-kind", of.span, format!("There is no kind called `{}`.", of.text));
            let d = self.suggest(d, &of.text, of.span, &[], &|k| k == DeclKind::Kind);
            self.report(d);
            return hir::Item::Nothing;
        };
        self.this = Some(Ty::Kind(found.key.clone()));
        let mut settings: Vec<(SmolStr, hir::Expr)> = Vec::new();
        let mut regions = Vec::new();
        for line in &f.block.lines {
            match line {
                Line::Field { name, value, .. } => self.face_setting(name, value, &mut settings),
                Line::Region { name, bits, span } => regions.extend(self.region(name, bits, *span)),
                Line::Broken { .. } => {}
                other => self.misplaced(other, "in a face"),
            }
        }
        let name = SmolStr::new(format!("{}.{}", of.text, f.name.text));
        hir::Item::Face(hir::Face {
            key: key_of(&self.module, &name),
            name: SmolStr::new(&f.name.text),
            name_span: f.name.span,
            of: found.key.clone(),
            settings,
            covers: self.settings_cover(&f.covers, &["overflow"]),
            regions,
        })
    }

    fn face_setting(&mut self, name: &Word, value: &ast::Expr, settings: &mut Vec<(SmolStr, hir::Expr)>) {
        let Some(FaceSetting { word: setting, choices: words, .. }) = face_setting(&name.text) else {
            let mut d = Diagnostic::error("unknown-field", name.span, format!("A face has no `{}`.", name.text));
            if let Some(n) = nearest(&name.text, FACE_SETTINGS.iter().map(|s| s.word)) {
                d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true);
            }
            self.report(d);
            return;
        };
        if settings.iter().any(|(n, _)| n == setting) {
            self.report(Diagnostic::error("duplicate-field", name.span, format!("`{setting}` is said twice.")));
            return;
        }
        let (first, second) = match &value.kind {
            ast::ExprKind::Sentence { of, preps } => (&**of, preps.first().map(|(_, e)| e)),
            _ => (value, None),
        };
        let got = self.face_value(setting, words, first);
        settings.push((SmolStr::new(setting), got));
        if let Some(second) = second {
            let got = self.face_value(setting, &[], second);
            settings.push((SmolStr::new(format!("{setting} by")), got));
        }
    }

    fn face_value(&mut self, setting: &str, words: &[&str], value: &ast::Expr) -> hir::Expr {
        if let ast::ExprKind::Name(n) = &value.kind
            && words.contains(&&**n)
        {
            return expr(ExprKind::Text(SmolStr::new(n)), Ty::Text, value.span);
        }
        let got = self.expr(value, None);
        let bare = match &got.ty {
            Ty::Optional(inner) => (**inner).clone(),
            other => other.clone(),
        };
        let fits = match (setting, &bare) {
            (_, Ty::Error) | ("colour", Ty::Text) | ("overflow" | "side", Ty::Enum(_)) => true,
            ("size" | "margin" | "bleed" | "type" | "smallest", Ty::Length(of)) => of == "print",
            _ => false,
        };
        if !fits {
            let help = match setting {
                "size" => "Write two lengths, as in `size: 63mm by 88mm`, or `poker` or `tarot`.",
                "colour" => "Write a colour like \"#7a1f1f\", or a field that holds one.",
                "overflow" => "Write `error` or `warning`.",
                "side" => "Write `front` or `back`.",
                _ => "Write a length on paper, such as `3mm` or `8pt`.",
            };
            self.report(Diagnostic::error("wrong-type", value.span, format!("`{setting}` is not written like this.")).help(help));
        }
        got
    }

    /// `title "{name}" right "{points}"`, `each weapons "{name}" "Attacks {attacks}"`, `picture portrait 30mm own`, `rules`
    fn region(&mut self, name: &Word, bits: &[RegionBit], span: Span) -> Option<hir::Region> {
        let word = &*name.text;
        let Some(region) = region_called(word) else {
            let mut d = Diagnostic::error("unknown-region", name.span, format!("A face has no region called `{word}`."));
            if let Some(n) = nearest(word, REGIONS.iter().map(|region| region.word)) {
                d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), name.span, n, true);
            }
            self.report(d);
            return None;
        };
        let mut bits = Bits::new(bits);
        let only = self.only(&mut bits);
        let optional = bits.take("optional") || word == "flavour";
        let kind = match word {
            "title" => RegionKind::Title(self.sides(&mut bits, name)?),
            "subtitle" => RegionKind::Subtitle(self.sides(&mut bits, name)?),
            "footer" => RegionKind::Footer(self.sides(&mut bits, name)?),
            "row" => RegionKind::Row(self.texts(&mut bits, name)?),
            "stats" => RegionKind::Stats(self.texts(&mut bits, name)?),
            "each" => self.each(&mut bits, name)?,
            "picture" => self.picture(&mut bits, name)?,
            "rules" => RegionKind::Rules,
            "reminders" => RegionKind::Reminders,
            "flavour" => RegionKind::Flavour,
            "table" => RegionKind::Table(bits.word().map(|w| self.name(&w.text, w.span, None))),
            _ => RegionKind::Line,
        };
        if let Some(extra) = bits.rest.first() {
            let (shown, at) = match extra {
                RegionBit::Word(w) => (format!("`{}`", w.text), w.span),
                RegionBit::Text(s) => ("This text".to_string(), s.span),
                RegionBit::Number(_, at) => ("This number".to_string(), *at),
            };
            let words = [region.options, REGION_OPTIONS].concat();
            let mut d = Diagnostic::error("unknown-region", at, format!("{shown} cannot stand in the region `{word}`."));
            if let RegionBit::Word(w) = extra
                && let Some(n) = nearest(&w.text, words.iter().copied())
            {
                d = d.help(format!("Did you mean `{n}`?")).fix(format!("Write `{n}`"), at, n, true);
            } else {
                d = d.help(format!("Behind its texts a `{word}` can have: {}.", words.join(", ")));
            }
            self.report(d);
        }
        Some(hir::Region { kind, optional, only, span })
    }

    /// `if weapons`, `unless weapons`: when a region stands there.
    fn only(&mut self, bits: &mut Bits) -> Option<hir::Only> {
        let (word, of) = bits.word_after(&["if", "unless"])?;
        let Some(of) = of else {
            self.report(
                Diagnostic::error("missing-value", word.span, format!("It is not said what `{}` asks for.", word.text))
                    .help(format!("Name a field or a plural after it: `{} weapons`.", word.text)),
            );
            return None;
        };
        Some(hir::Only { of: self.name(&of.text, of.span, None), shown: *word.text == *"if" })
    }

    fn texts(&mut self, bits: &mut Bits, name: &Word) -> Option<Vec<Template>> {
        let texts = bits.texts();
        if texts.is_empty() {
            self.report(
                Diagnostic::error("missing-value", name.span, format!("It is not said what stands in this `{}`.", name.text))
                    .help(format!("Write a text after it: `{} \"…\"`.", name.text)),
            );
            return None;
        }
        Some(texts.into_iter().map(|s| self.face_template(s)).collect())
    }

    fn sides(&mut self, bits: &mut Bits, name: &Word) -> Option<Sides> {
        let right = bits.text_after("right");
        let right = right.map(|s| self.face_template(s));
        let mut texts = self.texts(bits, name)?.into_iter();
        let left = texts.next().unwrap_or_default();
        if let Some(second) = texts.next() {
            self.report(
                Diagnostic::error("unknown-region", second.span, format!("A `{}` has one text, and one at the right.", name.text))
                    .help("Put `right` before the second text."),
            );
        }
        Some(Sides { left, right })
    }

    fn each(&mut self, bits: &mut Bits, name: &Word) -> Option<RegionKind> {
        let rules = bits.take("rules");
        let Some(list) = bits.word() else {
            self.report(
                Diagnostic::error("missing-value", name.span, "It is not said what there is a line for.")
                    .help("Write a plural after it: `each weapons \"{name}\"`."),
            );
            return None;
        };
        let set = self.name(&list.text, list.span, None);
        let set = self.as_set(set);
        let this = self.this.replace(Self::element(&set.ty));
        let texts = self.texts(bits, name);
        self.this = this;
        Some(RegionKind::Each { list: set, plural: SmolStr::new(&list.text), texts: texts?, rules })
    }

    fn picture(&mut self, bits: &mut Bits, name: &Word) -> Option<RegionKind> {
        let (full, own) = (bits.take("full"), bits.take("own"));
        let height = match bits.number() {
            Some((n, at)) => {
                let got = self.number(n, at, None);
                match (&got.kind, &got.ty) {
                    (ExprKind::Int(v), Ty::Length(of)) if of == "print" => Some(*v),
                    (_, Ty::Error) => None,
                    _ => {
                        self.report(
                            Diagnostic::error("wrong-type", at, "The height of a picture is a length on paper.")
                                .help("Write for example `30mm`."),
                        );
                        None
                    }
                }
            }
            None => None,
        };
        let Some(field) = bits.word() else {
            self.report(
                Diagnostic::error("missing-value", name.span, "It is not said which picture stands here.")
                    .help("Name the field that holds it: `picture portrait`."),
            );
            return None;
        };
        let value = self.name(&field.text, field.span, None);
        let bare = match &value.ty {
            Ty::Optional(inner) => &**inner,
            other => other,
        };
        if !matches!(bare, Ty::Picture | Ty::Error) {
            let words = self.ty_words(bare);
            self.report(
                Diagnostic::error("wrong-type", field.span, format!("`{}` is {words}, not a picture.", field.text))
                    .help("Name a field of type `Picture`."),
            );
        }
        Some(RegionKind::Picture { field: value, height, full, own })
    }

    /// A template on a face: `{name}` is the card's printed name.
    fn face_template(&mut self, s: &ast::Str) -> Template {
        let name = Word { text: "name".into(), span: s.span };
        let this = self.this.clone().unwrap_or(Ty::Error);
        let this = expr(ExprKind::This, this, s.span);
        let before = self.reports().len();
        let printed = self.field_of(this, &name, s.span);
        self.reports().truncate(before);
        self.scoped(|cx| {
            let local = cx.declare_silent("name", printed.ty.clone(), s.span, true);
            let mut template = cx.template(s);
            for part in &mut template.parts {
                if let TextPart::Value(e) | TextPart::Plural(e, ..) | TextPart::Article(e) = part
                    && e.kind == ExprKind::Local(local)
                {
                    e.kind = printed.kind.clone();
                }
            }
            template
        })
    }
}

/// What follows the name of a region, taken piece by piece.
struct Bits<'a> {
    rest: Vec<&'a RegionBit>,
}

impl<'a> Bits<'a> {
    fn new(bits: &'a [RegionBit]) -> Self {
        Self { rest: bits.iter().collect() }
    }

    /// Whether this word is there; it is taken.
    fn take(&mut self, word: &str) -> bool {
        let at = self.rest.iter().skip(1).position(|b| matches!(b, RegionBit::Word(w) if *w.text == *word)).map(|i| i + 1);
        // the first word of `picture own` is the name of the field
        let at = at.or_else(|| (self.rest.len() == 1 && matches!(self.rest[0], RegionBit::Word(w) if *w.text == *word)).then_some(0));
        at.map(|i| self.rest.remove(i)).is_some()
    }

    fn word(&mut self) -> Option<&'a Word> {
        let (at, word) = self.rest.iter().enumerate().find_map(|(i, b)| match b {
            RegionBit::Word(w) => Some((i, w)),
            _ => None,
        })?;
        self.rest.remove(at);
        Some(word)
    }

    fn number(&mut self) -> Option<(&'a ast::Number, Span)> {
        let (at, found) = self.rest.iter().enumerate().find_map(|(i, b)| match b {
            RegionBit::Number(n, span) => Some((i, (n, *span))),
            _ => None,
        })?;
        self.rest.remove(at);
        Some(found)
    }

    /// One of these words, with the word behind it.
    fn word_after(&mut self, words: &[&str]) -> Option<(&'a Word, Option<&'a Word>)> {
        let (at, word) = self.rest.iter().enumerate().find_map(|(i, b)| match b {
            RegionBit::Word(w) if words.contains(&&*w.text) => Some((i, w)),
            _ => None,
        })?;
        let after = match self.rest.get(at + 1) {
            Some(RegionBit::Word(w)) => Some(w),
            _ => None,
        };
        self.rest.drain(at..=at + usize::from(after.is_some()));
        Some((word, after))
    }

    /// The text behind a word.
    fn text_after(&mut self, word: &str) -> Option<&'a ast::Str> {
        let at = self.rest.iter().position(|b| matches!(b, RegionBit::Word(w) if *w.text == *word))?;
        let RegionBit::Text(text) = self.rest.get(at + 1)? else { return None };
        self.rest.drain(at..at + 2);
        Some(text)
    }

    fn texts(&mut self) -> Vec<&'a ast::Str> {
        let texts = self.rest.iter().filter_map(|b| match b {
            RegionBit::Text(s) => Some(s),
            _ => None,
        });
        let texts = texts.collect();
        self.rest.retain(|b| !matches!(b, RegionBit::Text(_)));
        texts
    }
}
