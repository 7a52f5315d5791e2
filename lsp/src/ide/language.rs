//! What the words of the language and written numbers mean, for who points at one.

use banneret_compiler::build::reachable_files;
use banneret_compiler::db::SourceFile;
use banneret_compiler::language::FUNCTIONS;
use banneret_grammar::span::Span;

use super::Ide;
use super::hover::Hover;

/// A word of the language: how it is written, and what it means.
const WORDS: &[(&str, &str, &str)] = &[
    ("use", "use RULES", "Takes what a rule system or another folder declares."),
    ("ruleset", "ruleset NAME { … }", "What is true for a whole rule system: its lengths, its options, how it measures."),
    ("enum", "enum NAME { A, B }", "A list of words of which a field holds one. `enum NAME also { C }` adds to one that is there."),
    ("kind", "kind NAME (plural) is ROLE { … }", "A kind of card: which fields its cards have, and what they are in play."),
    ("define", "define NAME(…) = VALUE", "A name for a value that is worked out."),
    ("fact", "fact NAME", "Something that is true or not, and that rules may ask and change."),
    ("table", "table { … }", "Looks a value up: the first row that fits."),
    ("action", "action NAME(…) { … }", "Something that can be done. Every time it is done, rules can answer it."),
    ("phase", "phase NAME { … }", "A part of the game that starts and ends, such as a turn."),
    ("keyword", "keyword NAME on KIND { … }", "A rule with a name that many cards can have."),
    ("limit", "limit \"words\" on KIND { need … }", "What must be true of cards as they are written."),
    ("face", "face front of KIND { … }", "How the cards of a kind are printed."),
    ("test", "test \"words\" { … }", "Something that is tried whenever tests are run: what is given, what is done, what is expected."),
    ("state", "state NAME: TYPE = VALUE", "A field that changes in play."),
    ("resource", "resource NAME: Int = VALUE", "A number that is gained and paid with."),
    ("says", "says \"…\"", "The words for it on cards."),
    ("grant", "grant WHO { … }", "Changes fields, or gives keywords and rules, for as long as it holds."),
    ("before", "before ACTION { … }", "Answers an action before it happens: its numbers can still be changed."),
    ("after", "after ACTION { … }", "Answers an action when it has happened."),
    ("instead", "instead of ACTION { … }", "What happens in place of an action."),
    ("at", "at start of PHASE, at (X, Y)", "When something happens, or where something stands."),
    ("cannot", "cannot ACTION", "What is not allowed."),
    ("must", "must choose SET by PLAYER", "What is chosen before anything else."),
    ("once", "once per PHASE", "At most one time in each."),
    ("let", "let NAME = VALUE", "Gives a value a name, for the lines that follow."),
    ("if", "if CONDITION { … }", "Only when the condition is true."),
    ("else", "else { … }", "When no condition before it was true."),
    ("for", "for NAME in SET { … }", "Once for each of them."),
    ("repeat", "repeat N { … }", "So many times."),
    ("need", "need CONDITION", "If it is not true, the action is illegal, or the card is."),
    ("choose", "choose NAME: SET", "Somebody chooses one of them."),
    ("may", "may { … }", "Somebody decides whether it happens."),
    ("do", "do EFFECT", "Runs an effect that a card holds."),
    ("alternate", "alternate { … }", "The players take turns until all pass."),
    ("pass", "pass", "Lets one's turn in `alternate` go by."),
    ("proceed", "proceed", "In `instead of`: what would have happened happens after all."),
    ("together", "together { … }", "Everything in it happens at the same time."),
    ("todo", "todo \"…\"", "A rule that is not written yet. Its words are printed, and in play it does nothing."),
    ("and", "A and B", "Both are true."),
    ("or", "A or B", "At least one of them is true."),
    ("not", "not A", "It is not true."),
    ("is", "X is KIND", "Whether something is of a kind, has a keyword, or is what a word says."),
    ("in", "X in SET", "Whether something is among others."),
    ("of", "WHAT of WHOM", "Whose it is."),
    ("where", "SET where CONDITION", "Only those of which the condition is true."),
    ("within", "SET within LENGTH of X", "Only those that are not farther away than that."),
    ("past", "past(ACTION) this PHASE", "What has happened in a phase so far."),
    ("this", "this", "The card itself; in a keyword, the card that has it."),
    ("you", "you", "The player whose card it is."),
    ("given", "given CARD as NAME", "What a test starts with."),
    (
        "expect",
        "expect CONDITION",
        "What must be true at this point of a test. `odds of`, `mean of` and `spread of` ask about all rolls of the dice.",
    ),
    ("to", "ACTION X to Y", "A preposition: the action says what stands behind it."),
    ("from", "card NAME from OTHER", "What a card builds on; in a sentence, where something comes from."),
    ("by", "ACTION by WHO", "Who does it, or whose it is."),
    ("with", "ACTION with X", "A preposition: the action says what stands behind it."),
    ("on", "keyword NAME on KIND", "What it belongs to."),
    ("into", "ACTION X into PILE", "A preposition: where something goes."),
    ("against", "ACTION against X", "A preposition: the action says what stands behind it."),
    ("using", "ACTION using X", "A preposition: the action says what stands behind it."),
    ("as", "CARD as NAME", "Gives a name to it."),
    ("until", "until end of PHASE", "How long it holds."),
    ("while", "while CONDITION", "It holds for as long as that is true."),
    ("such", "such that CONDITION", "Only what makes the condition true can be chosen."),
    ("blame", "blame CARD", "The card that is pointed at if a limit does not hold."),
    ("covers", "covers NUMBER", "The numbered rules that this is about."),
    ("starting", "starting with PLAYER", "Who is first."),
    ("rounded", "A / B rounded up", "What happens with the rest of a division: `up`, `down` or `near`."),
];

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
    WORDS.iter().find(|(word, ..)| *word == name).filter(|_| is_code(text, offset)).map(|(_, shape, means)| shown(shape, means))
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
