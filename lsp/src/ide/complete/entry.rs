//! One thing that could be written.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A word of the language.
    Word,
    /// Several words or a whole card.
    Phrase,
    Card,
    Field,
    Part,
    Member,
    Kind,
    Type,
    Action,
    Phase,
    Keyword,
    Term,
    Function,
    Local,
    Option,
    Module,
    Value,
    File,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub label: String,
    /// What is written, with places to stop at: `$1`, `${2:word}`, `$0`.
    pub insert: String,
    pub detail: String,
    pub doc: Option<String>,
    pub kind: EntryKind,
    /// How likely it is meant where it stands: the smaller, the likelier.
    pub tier: u32,
    /// The `use` that makes the name known, if it is not.
    pub import: Option<Import>,
    /// The card it is, by its key.
    pub card: Option<SmolStr>,
}

/// A line to add so that a name is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub module: String,
    pub at: u32,
    pub line: String,
}

impl Entry {
    pub fn new(label: impl Into<String>, kind: EntryKind, tier: u32) -> Self {
        let label = label.into();
        Self { insert: escaped(&label), label, detail: String::new(), doc: None, kind, tier, import: None, card: None }
    }

    pub fn insert(mut self, snippet: impl Into<String>) -> Self {
        self.insert = snippet.into();
        self
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    pub fn doc(mut self, doc: Option<impl Into<String>>) -> Self {
        self.doc = doc.map(Into::into);
        self
    }

    /// Writes nothing that stands behind the cursor already: in the middle of a line only the name, and of several words those that are not there.
    pub(super) fn fit_before(&mut self, rest: &str) {
        // brackets that close, and commas, are written before what is between them
        if rest.trim().is_empty() || rest.trim_start().starts_with(['}', ']', ')', ',', ';', '"']) {
            return;
        }
        let words = rest.trim_start();
        let there = self.label.match_indices(' ').find(|(at, _)| {
            let tail = &self.label[at + 1..];
            words.strip_prefix(tail).is_some_and(|more| !more.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        let name = there.map_or(self.label.as_str(), |(at, _)| &self.label[..at]);
        let opens = self.insert.starts_with('[') && !self.label.starts_with('[');
        self.insert = if opens { format!("[{}]", escaped(name)) } else { escaped(name) };
    }

    /// What is written, for editors without places to stop at.
    pub fn plain(&self) -> String {
        plain(&self.insert)
    }
}

/// Signs that mean something in a snippet, taken as themselves.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// A snippet without its places.
pub(crate) fn plain(snippet: &str) -> String {
    let mut out = String::with_capacity(snippet.len());
    let mut chars = snippet.chars().peekable();
    let mut inside = 0;
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '$' => {
                if chars.peek() == Some(&'{') {
                    chars.next();
                    inside += 1;
                    while chars.next_if(char::is_ascii_digit).is_some() {}
                    chars.next_if_eq(&':');
                } else {
                    while chars.next_if(char::is_ascii_digit).is_some() {}
                }
            }
            '}' if inside > 0 => inside -= 1,
            c => out.push(c),
        }
    }
    out
}

/// What to offer, and what of the text it replaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    pub entries: Vec<Entry>,
    pub replaces: Span,
    /// There was more than is sensible to send.
    pub cut: bool,
}

impl Offer {
    /// Whether the word that is being written is one of those on offer already. To offer it again would only be in the way: editors take what
    /// they offer when Enter is pressed, and the Enter that was meant is lost. A number is completed by its sign and by nothing else.
    pub fn is_written(&self, text: &str, offset: u32) -> bool {
        let typed = text.get(self.replaces.start as usize..offset as usize).unwrap_or("");
        let number = typed.starts_with(|c: char| c.is_ascii_digit());
        // `6"` is whole, `6` may still get its sign
        let whole = |label: &str| !label.strip_prefix(typed).is_some_and(|rest| rest.starts_with(|c: char| !c.is_ascii_digit()));
        number && (!typed.ends_with(char::is_alphanumeric) || self.entries.iter().all(|e| whole(&e.label)))
            || !typed.is_empty() && self.replaces.end == offset && self.entries.iter().any(|e| e.label == typed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_can_be_flattened() {
        assert_eq!(plain("unit ${1:Name} {\n  move: ${2:6s}$0\n\\}"), "unit Name {\n  move: 6s\n}");
        assert_eq!(plain("a\\$b$1"), "a$b");
        let odd = Entry::new("{x}", EntryKind::Word, 0);
        assert_eq!(odd.plain(), "{x}");
    }
}
