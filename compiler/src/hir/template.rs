//! Words that a designer writes, with gaps for what is put in.

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use super::Expr;

/// A text template, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Template {
    pub parts: Vec<TextPart>,
    /// As it is written.
    pub text: SmolStr,
    pub span: Span,
}

impl Template {
    /// What is put in, with what stands between its braces up to the first `|`.
    pub fn gaps(&self) -> impl Iterator<Item = (&str, &TextPart)> {
        let names = self.text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside);
        let names = names.map(|inside| inside.split('|').next().unwrap_or_default().trim());
        names.zip(self.parts.iter().filter(|part| !matches!(part, TextPart::Text(_))))
    }

    /// The same gaps with other words around them; a gap that this one does not have is left out.
    pub fn with_words(&self, text: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, (inside, behind))) = rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            if !before.is_empty() {
                parts.push(TextPart::Text(before.into()));
            }
            let name = inside.split(['|', ':']).next().unwrap_or_default().trim();
            parts.extend(self.gaps().find(|(has, _)| *has == name).map(|(_, part)| part.clone()));
            rest = behind;
        }
        if !rest.is_empty() {
            parts.push(TextPart::Text(rest.into()));
        }
        Self { parts, text: text.into(), span: self.span }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextPart {
    Text(SmolStr),
    /// `{amount}`
    Value(Expr),
    /// `{amount|wound|wounds}`: one word for 1, the other for the rest
    Plural(Expr, SmolStr, SmolStr),
    /// `{a name}`: with the right article
    Article(Expr),
}
