//! Rules text: the words of a card, made from what it does.
//!
//! Text and behaviour come from the same meaning, so they cannot disagree. Rule systems own the phrases through `says`; what has none is said by its
//! own name. The result is plain data: a printer decides about type. Deliberately absent: layout, and any word of a particular game.

mod meaning;
mod speech;
mod text;
mod voice;
mod english;
mod german;
mod says;
mod number;
mod card;
mod lookup;
mod unsaid;
mod vary;
mod entries;

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::hir::Key;

pub use card::{
    card_text, card_texts, generated_text, heading, in_language, keyword_reminder, keyword_text, label, label_of_kind, member_name,
    reference_title, rules_text, value_words,
};
pub use entries::to_say;
pub use lookup::Lookup;
pub use says::{ActionWords, DefineWords, FieldWords, KeywordWords, KindWords, ParamWords, SaysOf};
pub use speech::{BadCatalogue, Catalogue, Language, Speech, ToSay, written};
pub(crate) use unsaid::{leaves_out, unsaid};

/// A piece of text in one weight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    pub text: String,
    /// Names of keywords.
    pub bold: bool,
}

/// A paragraph of a card: its own rules, one of its effects, or one of its abilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBlock {
    pub title: Option<SmolStr>,
    /// What stands beside the title: label and value. A value without a label has an empty one ("", "Once per game").
    pub costs: Vec<(SmolStr, String)>,
    /// Sentences, capitalised and ended, with the spaces between them.
    pub sentences: Vec<Run>,
    /// What the rules do and the words leave out.
    pub unsaid: Vec<Unsaid>,
    /// The card, part or row it belongs to.
    pub of: Key,
}

/// Something that a rule does and that no words tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    /// The parameter, or what is done.
    pub what: String,
    /// The action that has no words for the parameter.
    pub action: Option<String>,
    /// What a catalogue has no entry for; `what` are its words.
    pub missing: Option<Key>,
    pub span: Span,
}

/// The text without weights: a line for each block.
pub fn plain(blocks: &[TextBlock]) -> String {
    let lines: Vec<String> = blocks.iter().map(plain_block).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

fn plain_block(block: &TextBlock) -> String {
    let mut line = String::new();
    if let Some(title) = &block.title {
        line.push_str(title);
    }
    let costs: Vec<String> =
        block.costs.iter().map(|(label, value)| if label.is_empty() { value.clone() } else { format!("{label}: {value}") }).collect();
    if !costs.is_empty() {
        line.push_str(if line.is_empty() { "(" } else { " (" });
        line.push_str(&costs.join(", "));
        line.push(')');
    }
    let text: String = block.sentences.iter().map(|run| run.text.as_str()).collect();
    if !line.is_empty() && !text.is_empty() {
        line.push_str(": ");
    }
    line + &text
}
