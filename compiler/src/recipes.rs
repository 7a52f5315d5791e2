//! Help by intent: the `HOW.md` of a rule system says in its own words how common wishes are written.
//!
//! The file is Markdown for people. A recipe is a heading (the wish), a line `Words:` with what else people call it, a fence with the
//! lines to write, and a fence `banner test` that proves them. How they are put together is in docs/how.md.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use banneret_grammar::words::is_reserved;

use crate::diagnostic::{Code, Diagnostic};

/// The name of the file, beside the rules.
pub const FILE_NAME: &str = "HOW.md";

/// Where the lines of a recipe stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// In an ability, a power or another part with rules.
    Ability,
    /// In the card itself.
    Card,
    /// At the left edge.
    File,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What is wished: "Heal when it kills".
    pub title: String,
    /// What else people call it.
    pub words: Vec<String>,
    /// Sentences about it; may be empty.
    pub note: String,
    pub stands: Stands,
    pub code: String,
    /// The lines of a test that proves it.
    pub proof: String,
}

/// All recipes of a rule system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    pub system: SmolStr,
    /// The verbs that are meant for cards; the other actions are the system's own.
    pub verbs: Vec<String>,
    /// Cards in which recipes are tried: `// ability` and `// card` mark the places.
    pub frame: String,
    pub recipes: Vec<Recipe>,
}

impl Book {
    pub fn read(system: &str, text: &str) -> Book {
        let mut book = Book { system: SmolStr::new(system), ..Book::default() };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix("## ") {
                let title = title.trim().to_owned();
                let (words, note) = (Vec::new(), String::new());
                book.recipes.push(Recipe { title, words, note, stands: Stands::Ability, code: String::new(), proof: String::new() });
            } else if let Some(fence) = line.strip_prefix("```banner") {
                let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                book.fenced(fence.trim(), inside.join("\n"));
            } else if let Some(verbs) = line.strip_prefix("For cards:") {
                book.verbs = verbs.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            } else if let Some(recipe) = book.recipes.last_mut() {
                match line.strip_prefix("Words:") {
                    Some(words) => recipe.words = words.split(',').map(|w| w.trim().to_owned()).filter(|w| !w.is_empty()).collect(),
                    None if line.trim().is_empty() => {}
                    None => {
                        let space = if recipe.note.is_empty() { "" } else { " " };
                        recipe.note.push_str(&format!("{space}{}", line.trim()));
                    }
                }
            }
        }
        book
    }

    fn fenced(&mut self, tag: &str, text: String) {
        match (tag, self.recipes.last_mut()) {
            ("frame", _) => self.frame = text,
            ("test", Some(recipe)) => recipe.proof = text,
            (tag, Some(recipe)) => {
                recipe.stands = match tag {
                    "card" => Stands::Card,
                    "file" => Stands::File,
                    _ => Stands::Ability,
                };
                recipe.code = text;
            }
            _ => {}
        }
    }

    /// The frame with a recipe in its place, and the test that proves it.
    pub fn source(&self, recipe: &Recipe) -> String {
        let mut out = String::new();
        for line in self.frame.lines() {
            let here = match line.trim() {
                "// ability" => Some(Stands::Ability),
                "// card" => Some(Stands::Card),
                _ => None,
            };
            match here {
                None => out.push_str(line),
                Some(stands) if stands == recipe.stands => out.push_str(&indented(&recipe.code, "    ")),
                Some(_) => {}
            }
            out.push('\n');
        }
        if recipe.stands == Stands::File {
            out.push_str(&format!("\n{}\n", recipe.code));
        }
        format!("{out}\ntest \"{}\" {{\n{}\n}}\n", recipe.title, indented(&recipe.proof, "  "))
    }

    /// The recipes that answer a wish, the best first, with how well they do. One that only shares a common word is none.
    pub fn find(&self, wish: &str) -> Vec<(f64, &Recipe)> {
        let asked = words(wish);
        let mut found: Vec<(f64, &Recipe)> = self.recipes.iter().map(|r| (self.fits(r, &asked), r)).filter(|(s, _)| *s >= 1.0).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.title.cmp(&b.1.title)));
        found
    }

    /// Whole phrases count most, then single words, the rare ones more than the common ones.
    fn fits(&self, recipe: &Recipe, asked: &BTreeSet<String>) -> f64 {
        let weight = |word: &String| 1.0 / (1.0 + self.recipes.iter().filter(|r| about(r).contains(word)).count() as f64).ln().max(0.5);
        let phrase = |text: &str| {
            let wanted = words(text);
            let is_whole = !wanted.is_empty() && wanted.is_subset(asked);
            if is_whole { wanted.iter().map(|w| 1.0 + weight(w)).sum() } else { 0.0 }
        };
        let whole = recipe.words.iter().chain([&recipe.title]).map(|w| phrase(w)).fold(0.0, f64::max);
        let single: f64 = about(recipe).intersection(asked).map(weight).sum();
        whole + 0.5 * single
    }

    /// The recipe that a word of a mistake asks for: one of its phrases is the word itself, or is all in the line around it.
    fn meant(&self, word: &str, line: &str) -> Option<&Recipe> {
        let word = words(word);
        // what the language itself is made of says nothing about what is wished
        let line: BTreeSet<String> =
            line.split(|c: char| !c.is_alphanumeric()).filter(|w| !is_reserved(w)).flat_map(words).chain(word.iter().cloned()).collect();
        let is_about = |r: &Recipe| {
            let all = r.words.iter().chain([&r.title]);
            all.map(|phrase| words(phrase)).any(|p| !p.is_empty() && p.is_subset(&line) && (word.is_empty() || !p.is_disjoint(&word)))
        };
        let all: Vec<&str> = line.iter().map(String::as_str).collect();
        self.find(&all.join(" ")).into_iter().map(|(_, r)| r).find(|r| is_about(r))
    }
}

/// Mistakes behind which a wish may stand that the rule system says in another way, and whether one word carries it.
const WISHES: &[(Code, bool)] = &[
    (Code::UnknownVerb, true),
    (Code::UnknownName, true),
    (Code::UnknownKeyword, true),
    (Code::UnknownFunction, true),
    (Code::UnknownField, true),
    (Code::UnknownScope, true),
    (Code::UnknownUnit, true),
    (Code::UnclearWords, false),
    (Code::MisplacedLine, false),
    (Code::UnexpectedToken, false),
    (Code::UnexpectedName, false),
    (Code::CannotCompare, false),
    (Code::WrongArgumentCount, false),
    (Code::UnexpectedNumber, false),
];

/// Adds to a mistake how the wish behind it is written. `text` is the file's.
pub fn advise<'a>(d: &mut Diagnostic, text: &str, books: impl Iterator<Item = &'a Book> + Clone) {
    let Some((_, of_a_word)) = WISHES.iter().find(|(code, _)| *code == d.code) else { return };
    let word = if *of_a_word { d.span.of(text) } else { "" };
    let start = text.get(..d.span.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |i| i + 1);
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    for book in books.clone() {
        let Some(recipe) = book.meant(word, line) else { continue };
        // a word that is only misspelt is mended, not explained
        if d.fixes.iter().any(|fix| fix.safe) {
            return;
        }
        let lines: Vec<&str> = recipe.code.lines().collect();
        let where_to = match recipe.stands {
            Stands::Ability => "in an ability",
            Stands::Card => "in the card",
            Stands::File => "as a card of its own",
        };
        let intro = format!("{}, {where_to}:", recipe.title);
        let advice = match lines.as_slice() {
            [only] => format!("{intro} `{}`", only.trim()),
            _ => format!("{intro}\n  {}", lines.join("\n  ")),
        };
        if d.code == Code::UnknownVerb {
            d.headline = format!("There is no `{word}` here.");
        }
        // what is said already may be what is meant: it stays, and stays first
        d.help = Some(d.help.take().map_or(advice.clone(), |help| format!("{help}\n{advice}")));
        return;
    }
    let verbs: Vec<String> = books.flat_map(|b| &b.verbs).map(|v| format!("`{v}`")).collect();
    if d.code == Code::UnknownVerb && d.help.is_none() && !verbs.is_empty() {
        d.help = Some(format!("What cards do here: {}. `banneret how WORDS` finds more.", verbs.join(", ")));
    }
}

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

fn about(recipe: &Recipe) -> BTreeSet<String> {
    recipe.words.iter().chain([&recipe.title]).flat_map(|text| words(text)).collect()
}

/// Words that say nothing about what is wished.
const SMALL: &[&str] = &[
    "a", "an", "the", "it", "its", "of", "to", "in", "on", "by", "is", "are", "be", "this", "that", "with", "and", "or", "my", "your", "i",
    "can", "do", "how", "for", "at", "as", "if", "when", "whenever", "unit", "model", "mini", "card", "get", "give", "make", "have", "has",
    "who", "all", "one",
];

/// The words of a text, each in its plainest form.
fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(stem).filter(|w| !SMALL.contains(&w.as_str())).collect()
}

/// `hits`, `hit`; `charging`, `charged`, `charge`; `dies`, `die`.
fn stem(word: &str) -> String {
    let mut out = word.to_owned();
    for ending in ["ing", "ed", "es", "s"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 3
        {
            out = rest.to_owned();
            break;
        }
    }
    // `hitting`, `hit`
    let mut last = out.chars().rev();
    if let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
        && word.len() > out.len() + 1
        && !matches!(a, 's' | 'l')
    {
        out.pop();
    }
    out.strip_suffix('e').filter(|rest| rest.len() >= 3).map_or(out.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use banneret_grammar::span::Span;

    use super::*;

    const PAGE: &str = "# How\n\nFor cards: `hurt`, `mend`.\n\n```banner frame\nunit A {\n// ability\n}\n```\n\n## Push somebody away\n\nWords: push, knock back\n\nMoves it.\n\n```banner\nshove foe by 3\n```\n\n```banner test\nexpect true\n```\n\n## Mend the wounded\n\nWords: heal\n\n```banner\nmend 2 to this\n```\n";

    #[test]
    fn a_page_is_read() {
        let book = Book::read("skirmish", PAGE);
        assert_eq!(book.verbs, ["hurt", "mend"]);
        assert_eq!(book.recipes.len(), 2);
        let first = &book.recipes[0];
        assert_eq!((first.title.as_str(), first.note.as_str(), first.code.as_str()), ("Push somebody away", "Moves it.", "shove foe by 3"));
        assert_eq!(book.source(first), "unit A {\n    shove foe by 3\n}\n\ntest \"Push somebody away\" {\n  expect true\n}\n");
    }

    #[test]
    fn a_wish_is_found_in_other_forms_of_its_words() {
        let book = Book::read("skirmish", PAGE);
        let first = |wish: &str| book.find(wish).first().map(|(_, r)| r.title.clone());
        assert_eq!(first("pushing enemies").as_deref(), Some("Push somebody away"));
        assert_eq!(first("knocked back by a blow").as_deref(), Some("Push somebody away"));
        assert_eq!(first("heals itself").as_deref(), Some("Mend the wounded"));
        assert_eq!(first("fly to the moon"), None);
    }

    #[test]
    fn a_mistake_is_told_how_its_wish_is_said() {
        let book = Book::read("skirmish", PAGE);
        let text = "unit B {\n  push foe 3\n}\n";
        let mut d = Diagnostic::error(Code::UnknownVerb, Span::new(11, 15), "There is no action or adjective called `push`.");
        advise(&mut d, text, [&book].into_iter());
        assert_eq!(d.headline, "There is no `push` here.");
        assert_eq!(d.help.as_deref(), Some("Push somebody away, in an ability: `shove foe by 3`"));
        let mut other = Diagnostic::error(Code::UnknownVerb, Span::new(0, 4), "x");
        advise(&mut other, "frobnicate foe", [&book].into_iter());
        assert!(other.help.is_some_and(|help| help.starts_with("What cards do here: `hurt`, `mend`")));
    }
}
