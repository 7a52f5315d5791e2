//! Small words between the words: what a card takes without saying it, and what dice come to.

use banneret_compiler::db::SourceFile;
use banneret_compiler::items::{DeclKind, Item, is_card, items, parse};
use banneret_compiler::signature::{KindInfo, find, kind_info};
use banneret_grammar::ast::{self, FieldRole, ItemKind, Line};
use banneret_grammar::span::Span;

use super::{Ide, hover, sums};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub at: u32,
    pub label: String,
    pub tooltip: String,
}

/// Which ones are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub defaults: bool,
    pub means: bool,
}

/// Hints in a stretch of a file.
pub fn hints(ide: Ide<'_>, file: SourceFile, range: Span, wanted: Wanted) -> Vec<Hint> {
    let mut out = Vec::new();
    for item in items(ide.db, file) {
        let (start, text) = (item.start(ide.db), item.text(ide.db));
        if start > range.end || start + (text.len() as u32) < range.start {
            continue;
        }
        if wanted.means {
            out.extend(means(text).into_iter().map(|h| Hint { at: h.at + start, ..h }));
        }
        if wanted.defaults && is_card(ide.db, *item) {
            defaults(ide, *item, &mut out);
        }
    }
    out.retain(|h| range.start <= h.at && h.at <= range.end);
    out.sort_by_key(|h| h.at);
    out
}

/// The mean of every dice expression in a text.
fn means(text: &str) -> Vec<Hint> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at),
            b'"' if at == 0 || !bytes[at - 1].is_ascii_digit() => {
                at += 1 + bytes[at + 1..].iter().position(|b| matches!(b, b'"' | b'\n')).unwrap_or(bytes.len() - at - 1);
            }
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                let length = bytes[at..].iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(bytes.len() - at);
                let mut end = at + length;
                if let Some((count, sides)) = dice(&text[at..end]) {
                    // a number that touches belongs to the dice: 2d6+1
                    let mut plus = 0;
                    if matches!(bytes.get(end), Some(b'+' | b'-')) {
                        let digits: usize = bytes[end + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
                        if let Ok(n) = text[end + 1..end + 1 + digits].parse::<i64>() {
                            plus = if bytes[end] == b'-' { -n } else { n };
                            end += 1 + digits;
                        }
                    }
                    let twice = count * (sides + 1) + 2 * plus;
                    let mean = if twice % 2 == 0 { (twice / 2).to_string() } else { format!("{}.5", twice / 2) };
                    out.push(Hint { at: end as u32, label: format!("\u{2300} {mean}"), tooltip: "The mean of these dice.".into() });
                }
                at = end.max(at + length);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    out
}

/// `2d6` → (2, 6)
fn dice(word: &str) -> Option<(i64, i64)> {
    let (count, sides) = word.split_once('d')?;
    let count = if count.is_empty() { 1 } else { count.parse().ok().filter(|n| *n < 1000)? };
    let sides = sides.parse().ok().filter(|n| (2..1000).contains(n))?;
    Some((count, sides))
}

/// What the cards of an item take without saying it, at the end of the line their block starts on.
fn defaults(ide: Ide<'_>, item: Item<'_>, out: &mut Vec<Hint>) {
    let ItemKind::Card(card) = &parse(ide.db, item).item.kind else { return };
    of_card(ide, item, card, out);
    // a number that a card has as its cards have it is what they may come to: a roster's points
    let kind = sums::kind(ide, item, card);
    for sum in sums::sums(ide, item, card) {
        let limited = sum.sums.iter().filter(|(field, _)| kind.is_some_and(|k| k.field(field).is_some()));
        for (field, n) in limited {
            let tooltip = format!("What all {} of `{}` come to.", sum.count, sum.field);
            out.push(Hint { at: item.start(ide.db) + sum.at.end, label: format!("{field} {n} in all"), tooltip });
        }
    }
    for line in card.block.as_ref().map(|b| b.lines.as_slice()).unwrap_or_default() {
        if let Line::Part(part) = line
            && part.name.is_some()
        {
            of_card(ide, item, part, out);
        }
    }
}

fn of_card(ide: Ide<'_>, item: Item<'_>, card: &ast::Card, out: &mut Vec<Hint>) {
    let module = item.file(ide.db).module(ide.db);
    // what it builds on may have said it
    if card.from.is_some() || card.template.is_some() {
        return;
    }
    let (Some(block), Some(found)) = (&card.block, find(ide.db, ide.universe, module, &card.word.text, &[DeclKind::Word])) else { return };
    let info: &KindInfo = kind_info(ide.db, ide.universe, found.item);
    let said = |name: &str| {
        block.lines.iter().any(|l| match l {
            Line::Field { name: n, .. } => *n.text == *name,
            Line::Part(p) => p.name.is_none() && *p.word.text == *name,
            _ => false,
        })
    };
    let mut taken: Vec<String> = Vec::new();
    for f in info.fields.iter().filter(|f| f.role == FieldRole::Plain && f.has_default && !said(&f.name)) {
        // nothing taken is nothing to tell
        if let Some(default) = hover::default_of(ide, &f.key).filter(|d| !matches!(d.as_str(), "[]" | "none" | "false" | "\"\"")) {
            taken.push(format!("{}: {default}", f.name));
        }
    }
    if taken.is_empty() {
        return;
    }
    let text = item.text(ide.db);
    let brace = block.span.start as usize;
    let end = text.get(brace..).and_then(|t| t.find('\n')).map_or(block.span.end as usize, |i| brace + i);
    let shown = taken.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
    let more = if taken.len() > 4 { ", …" } else { "" };
    let at = item.start(ide.db) + text.get(..end).map_or(end, |t| t.trim_end().len()) as u32;
    out.push(Hint { at, label: format!("({shown}{more})"), tooltip: format!("Not said, so: {}.", taken.join(", ")) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_have_means() {
        let text = "damage: 2d6+1, a: d3 // d6\nb: \"d6\" c: 3d6-2 move: 6\" d: d6";
        let labels: Vec<String> = means(text).into_iter().map(|h| h.label).collect();
        assert_eq!(labels, ["\u{2300} 8", "\u{2300} 2", "\u{2300} 8.5", "\u{2300} 3.5"]);
    }
}
