//! The language that cards speak, and catalogues: what the words of a rule system are in it.
//!
//! A catalogue is a file of GNU gettext (`.po`), the format of translators' tools. An entry belongs to one thing (`msgctxt` is its key) and to its
//! words as they were when they were translated (`msgid`): where those change, the translation no longer counts.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A language besides the one in which rule systems are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    German,
}

impl Language {
    /// By its code: `de`.
    pub fn by_code(code: &str) -> Option<Self> {
        match code {
            "de" => Some(Self::German),
            _ => None,
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::German => "de",
        }
    }

    /// As it is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::German => "German",
        }
    }

    pub fn all() -> &'static [Self] {
        &[Self::German]
    }
}

/// A language with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speech {
    pub language: Language,
    pub catalogue: Catalogue,
}

/// Translations, by what they belong to and the words they are made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    entries: FxHashMap<(SmolStr, SmolStr), SmolStr>,
}

/// Why a catalogue cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCatalogue {
    /// From 1.
    pub line: usize,
    pub what: String,
}

impl Catalogue {
    /// Adds the entries of a file. What is empty or marked as `fuzzy` is no translation. Later files win.
    pub fn add(&mut self, text: &str) -> Result<(), BadCatalogue> {
        for entry in read(text)? {
            if !entry.fuzzy && !entry.id.is_empty() && !entry.words.is_empty() {
                self.entries.insert((entry.of.into(), entry.id.into()), entry.words.into());
            }
        }
        Ok(())
    }

    pub fn get(&self, of: &str, id: &str) -> Option<&SmolStr> {
        self.entries.get(&(SmolStr::new(of), SmolStr::new(id)))
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// An entry as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entry {
    of: String,
    id: String,
    words: String,
    fuzzy: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Of,
    Id,
    Words,
}

fn read(text: &str) -> Result<Vec<Entry>, BadCatalogue> {
    let mut out: Vec<Entry> = Vec::new();
    let (mut entry, mut part, mut fuzzy) = (Entry::default(), None, false);
    for (n, line) in text.lines().enumerate() {
        let bad = |what: &str| BadCatalogue { line: n + 1, what: what.into() };
        let line = line.trim();
        // Entries that are no longer used stand behind `#~`.
        if let Some(comment) = line.strip_prefix('#') {
            fuzzy = fuzzy || comment.starts_with(',') && comment.contains("fuzzy");
            continue;
        }
        if line.is_empty() {
            continue;
        }
        let word = line.split([' ', '"']).next().unwrap_or_default();
        let next = match word {
            "" => part.ok_or_else(|| bad("a text without `msgid` or `msgstr` before it"))?,
            "msgctxt" => Part::Of,
            "msgid" => Part::Id,
            "msgstr" => Part::Words,
            _ => return Err(bad(&format!("`{word}` is none of `msgctxt`, `msgid` and `msgstr`"))),
        };
        let begins = next == Part::Of || next == Part::Id && part != Some(Part::Of) && !word.is_empty();
        if begins {
            out.push(std::mem::take(&mut entry));
            entry.fuzzy = std::mem::take(&mut fuzzy);
        }
        part = Some(next);
        let said = unquoted(line[word.len()..].trim()).ok_or_else(|| bad("a text stands between two quotation marks"))?;
        match next {
            Part::Of => entry.of.push_str(&said),
            Part::Id => entry.id.push_str(&said),
            Part::Words => entry.words.push_str(&said),
        }
    }
    out.push(entry);
    Ok(out)
}

fn unquoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('"')?.strip_suffix('"').filter(|_| text.len() >= 2)?;
    let mut out = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                other => out.push(other),
            },
            '"' => return None,
            _ => out.push(c),
        }
    }
    Some(out)
}

/// A text as it stands in a catalogue.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t"))
}

/// Something to be translated: what it belongs to, its words, and what a translator is told of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToSay {
    pub of: SmolStr,
    pub id: SmolStr,
    pub note: String,
}

/// A catalogue with an entry for each of these; what is translated already is kept, and what belongs to nothing any more is left out.
pub fn written(language: Language, all: &[ToSay], known: &Catalogue) -> String {
    let mut out =
        format!("msgid \"\"\nmsgstr \"\"\n\"Language: {}\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", language.code());
    for one in all {
        let words = known.get(&one.of, &one.id).map_or("", SmolStr::as_str);
        let note = if one.note.is_empty() { String::new() } else { format!("#. {}\n", one.note) };
        out.push_str(&format!("\n{note}msgctxt {}\nmsgid {}\nmsgstr {}\n", quoted(&one.of), quoted(&one.id), quoted(words)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_belong_to_one_thing_and_to_its_words() {
        let mut all = Catalogue::default();
        let text = "# by hand\nmsgid \"\"\nmsgstr \"Language: de\\n\"\n\nmsgctxt \"a/heal\"\nmsgid \"heal {n}\"\nmsgstr \"{n} \"\n\"heilen\"\n\n#, fuzzy\nmsgctxt \"a/B\"\nmsgid \"b\"\nmsgstr \"ungewiss\"\n\nmsgctxt \"a/C\"\nmsgid \"c\"\nmsgstr \"\"\n";
        assert_eq!(all.add(text), Ok(()));
        assert_eq!(all.get("a/heal", "heal {n}").map(SmolStr::as_str), Some("{n} heilen"));
        assert_eq!(all.get("a/heal", "heal {n} wounds"), None);
        assert_eq!((all.get("a/B", "b"), all.get("a/C", "c")), (None, None));
        let all_of_it = [ToSay { of: "a/heal".into(), id: "heal {n}".into(), note: "an action".into() }];
        let again = written(Language::German, &all_of_it, &all);
        let mut other = Catalogue::default();
        assert_eq!(other.add(&again), Ok(()));
        assert_eq!(other.get("a/heal", "heal {n}"), all.get("a/heal", "heal {n}"));
    }

    #[test]
    fn what_is_no_catalogue_is_told_with_its_line() {
        let mut all = Catalogue::default();
        assert_eq!(all.add("msgid \"a\"\nmsgstr ohne\n").map_err(|bad| bad.line), Err(2));
        assert_eq!(all.add("\"a\"\n").map_err(|bad| bad.line), Err(1));
        assert_eq!(all.add("words \"a\"\n").map_err(|bad| bad.line), Err(1));
    }
}
