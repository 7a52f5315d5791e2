//! Bytecode as a person reads it: an instruction a line, names instead of numbers, and beside it the source it comes from.

use std::fmt::Write;

use banneret_grammar::span::Span;
use banneret_runtime::bytecode::Instr;
use banneret_runtime::ids::SiteId;
use banneret_runtime::pack::Fragment;

use crate::hir::Key;
use crate::lower::{FragRef, LocalSite, Lowered, Symbols};

/// Operands that are registers. The others are numbers, names, or places in the code.
const REGISTERS: [&str; 27] = [
    "dst", "src", "a", "b", "obj", "cond", "list", "item", "i", "start", "caps", "code", "who", "set", "count", "dice", "pile", "targets",
    "of", "event", "left", "right", "blame", "done", "cost", "cards", "options",
];

/// Every fragment of an item, or those of a part of it. `text_of` gives the source of the item, or of a card that it builds on.
pub fn listing<'a>(lowered: &Lowered, text_of: &dyn Fn(Option<&Key>) -> &'a str, part: Option<Span>) -> String {
    let mut out = String::new();
    let site = |id: &SiteId| lowered.symbols.sites.get(id.index());
    let is_wanted = |fragment: &&Fragment| {
        let is_in = |part: Span, at: &LocalSite| at.of.is_none() && part.start <= at.span.start && at.span.end <= part.end;
        part.is_none_or(|part| fragment.sites.iter().filter_map(site).any(|at| is_in(part, at)))
    };
    for fragment in lowered.fragments.iter().filter(is_wanted) {
        let name = lowered.symbols.strings.get(fragment.name.index()).map_or("", |n| n.as_str());
        let looks = if fragment.pure { ", only looks" } else { "" };
        let blank = if out.is_empty() { "" } else { "\n" };
        let _ =
            writeln!(out, "{blank}{name}: {}, {}{looks}", counted(fragment.params, "parameter"), counted(fragment.registers, "register"));
        let mut shown = None;
        for (pc, instr) in fragment.code.iter().enumerate() {
            let at = fragment.sites.get(pc);
            let source = at.filter(|at| shown != Some(**at)).and_then(site);
            shown = at.copied();
            let line = format!("{pc:5}  {}", written(instr, &lowered.symbols));
            let source = source.map_or("", |site| {
                let text = text_of(site.of.and_then(|card| lowered.symbols.cards.get(card.index())));
                snippet(text, site.span.start as usize, site.span.end as usize)
            });
            let _ = writeln!(out, "{}", format!("{line:<60}  {source}").trim_end());
        }
    }
    if out.is_empty() {
        out.push_str("There is no code here: it holds nothing but values.\n");
    }
    out
}

fn counted(n: u16, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The first line of a piece of source.
fn snippet(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).and_then(|piece| piece.lines().next()).map_or("", str::trim)
}

/// `Emit dst r3, done r4, action deal, start r5, n 2`
fn written(instr: &Instr, symbols: &Symbols) -> String {
    let whole = format!("{instr:?}");
    let Some((name, operands)) = whole.split_once(" { ") else { return whole };
    let operands = operands.trim_end_matches(" }").split(", ").map(|operand| match operand.split_once(": ") {
        Some((key, value)) => format!("{key} {}", value_of(key, value, symbols)),
        None => operand.to_owned(),
    });
    format!("{name} {}", operands.collect::<Vec<_>>().join(", "))
}

fn value_of(key: &str, value: &str, symbols: &Symbols) -> String {
    let plain = value.chars().all(|c| c.is_ascii_digit());
    if let (Some((sort, number)), false) = (value.trim_end_matches(')').split_once('('), plain) {
        return number.parse().ok().and_then(|n| named(sort, n, symbols)).unwrap_or_else(|| value.to_owned());
    }
    match key {
        _ if plain && REGISTERS.contains(&key) => format!("r{value}"),
        "field" if plain => {
            value.parse().ok().and_then(|n: usize| symbols.event_fields.get(n)).map_or(value.to_owned(), |f| f.name.to_string())
        }
        _ => value.to_owned(),
    }
}

/// What a number of a table stands for.
fn named(sort: &str, n: usize, symbols: &Symbols) -> Option<String> {
    let key = |keys: &[Key]| keys.get(n).map(|key| key.to_string());
    match sort {
        "FieldId" => key(&symbols.fields),
        "ActionId" => key(&symbols.actions),
        "KindId" => key(&symbols.kinds),
        "CardId" => key(&symbols.cards),
        "KeywordId" => key(&symbols.keywords),
        "OptId" => key(&symbols.options),
        "FactId" => key(&symbols.facts),
        "StrId" => symbols.strings.get(n).map(|s| format!("\"{s}\"")),
        "ConstId" => symbols.consts.get(n).map(|value| format!("{value:?}")),
        "FragId" => symbols.frags.get(n).map(|frag| match frag {
            FragRef::Own(n) => format!("fragment {n}"),
            other => format!("{other:?}"),
        }),
        _ => None,
    }
}
