//! What the words of the language and written numbers mean, for who points at one.

use banneret_compiler::build::reachable_files;
use banneret_compiler::db::SourceFile;
use banneret_compiler::language::{FUNCTIONS, WORDS};
use banneret_grammar::span::Span;

use super::Ide;
use super::hover::Hover;

/// A word of the language or a function of it.
pub fn word(text: &str, offset: u32) -> Option<Hover> {
    let span = super::complete::word_span(text, offset);
    let name = span.of(text);
    let shown = |shape: &str, means: &str| {
        let means = if means.is_empty() { String::new() } else { format!("\n\n{means}") };
        Hover { span, markdown: format!("```banner\n{shape}\n```{means}"), about: None }
    };
    if text.get(span.end as usize..).is_some_and(|rest| rest.starts_with('('))
        && let Some((_, shape)) = FUNCTIONS.iter().find(|(function, _)| *function == name)
    {
        return Some(shown(shape, ""));
    }
    WORDS.iter().find(|word| word.text == name).filter(|_| is_code(text, offset)).map(|word| shown(word.shape, word.means))
}

/// Whether an offset is in no comment and in no text.
fn is_code(text: &str, offset: u32) -> bool {
    let before = text.get(..offset as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    super::complete::is_plain(line)
}

/// A number: the chance to roll so much, the mean of dice.
pub fn number(ide: Ide<'_>, file: SourceFile, offset: u32) -> Option<Hover> {
    let text: &str = file.text(ide.db);
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '+';
    let (before, after) = (text.get(..offset as usize)?, text.get(offset as usize..)?);
    let start = before.len() - before.chars().rev().take_while(|c| inside(*c)).count();
    let end = before.len() + after.chars().take_while(|c| inside(*c)).count();
    let written = text.get(start..end).filter(|_| is_code(text, start as u32))?;
    let span = Span::new(start as u32, end as u32);
    let hover = |markdown: String| Some(Hover { span, markdown, about: None });
    if let Some(least) = written.strip_suffix('+').and_then(|n| n.parse::<u32>().ok()) {
        let chances: Vec<String> = sides(ide).into_iter().filter_map(|sides| chance(least, sides)).collect();
        return hover(format!("**{written}**: a roll of {least} or more. {}.", chances.join(", "))).filter(|_| !chances.is_empty());
    }
    let (count, sides) = written.split_once('d')?;
    let count: u32 = if count.is_empty() { 1 } else { count.parse().ok().filter(|n| *n < 1000)? };
    let sides: u32 = sides.parse().ok().filter(|n| (2..1000).contains(n))?;
    let twice = count * (sides + 1);
    let mean = if twice.is_multiple_of(2) { (twice / 2).to_string() } else { format!("{}.5", twice / 2) };
    hover(format!("**{written}**: {count} to {}, {mean} on average.", count * sides))
}

/// `4 of 6 on a d6 (67 %)`
fn chance(least: u32, sides: u32) -> Option<String> {
    let faces = (sides + 1).checked_sub(least.max(1)).filter(|n| *n > 0)?;
    let percent = (f64::from(faces) * 100.0 / f64::from(sides)).round();
    Some(format!("{faces} of {sides} on a d{sides} ({percent} %)"))
}

/// The dice that the rules of a project speak of.
fn sides(ide: Ide<'_>) -> Vec<u32> {
    let mut out = Vec::new();
    for file in reachable_files(ide.db, ide.universe).iter().filter(|file| !ide.universe.files(ide.db).contains(file)) {
        let text: &str = file.text(ide.db);
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            let die = word.split_once('d').filter(|(count, _)| count.chars().all(|c| c.is_ascii_digit()));
            if let Some(sides) = die.and_then(|(_, sides)| sides.parse().ok()).filter(|n| (4..=100).contains(n) && !out.contains(n)) {
                out.push(sides);
            }
        }
    }
    out.sort_unstable();
    if out.is_empty() { vec![6] } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_language_is_told() {
        for word in banneret_compiler::language::RESERVED {
            let text = format!("{word} x");
            assert!(super::word(&text, 1).is_some(), "{word}");
        }
        assert!(word("\"for you\"", 2).is_none(), "words on cards are no words of the language");
        assert!(word("x // if", 6).is_none());
    }

    #[test]
    fn chances_are_of_all_faces() {
        assert_eq!(chance(3, 6).unwrap(), "4 of 6 on a d6 (67 %)");
        assert_eq!(chance(7, 6), None);
    }
}
