//! Nouns for sets of things: "an enemy unit within 6″ of this unit".

use super::grammar::{article, is_long, possessive};

/// Words after the noun, for one and for several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct After {
    pub one: String,
    pub many: String,
}

impl After {
    pub fn both(words: impl Into<String>) -> Self {
        let words = words.into();
        Self { one: words.clone(), many: words }
    }

    /// "that is damaged", "that are damaged"
    pub fn that_is(words: &str) -> Self {
        Self { one: format!("that is {words}"), many: format!("that are {words}") }
    }

    /// "that has Acted", "that have Acted"
    pub fn that_has(words: &str) -> Self {
        Self { one: format!("that has {words}"), many: format!("that have {words}") }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noun {
    pub one: String,
    pub many: String,
    /// "your", "your opponent’s"
    pub owner: Option<String>,
    /// "those units" as a whole: one of them is "one of those units".
    pub whole: bool,
    /// What one of the whole is: "unit".
    element: Option<String>,
    /// Told apart by whose they are: "the weapons of one of your units".
    definite: bool,
    /// "enemy", "damaged", as they are written from left to right
    pub before: Vec<String>,
    pub after: Vec<After>,
}

impl Noun {
    pub fn new(one: &str, many: &str) -> Self {
        Self { one: one.into(), many: many.into(), ..Self::default() }
    }

    /// Things that have been spoken of: "the activated units".
    pub fn known(words: &str, several: bool) -> Self {
        Self { whole: several, ..Self::new(words, words) }
    }

    /// The same, where it is known what each of them is.
    pub fn known_of(words: &str, element: &str) -> Self {
        Self { whole: true, element: Some(element.into()), ..Self::new(words, words) }
    }

    /// What comes after "one of": the owner's things, or the known ones.
    fn out_of(&self) -> Option<String> {
        match &self.owner {
            Some(_) => Some(self.several()),
            None if self.whole => Some(self.several()),
            None => None,
        }
    }

    fn with_before(&self, noun: &str, skip: usize) -> String {
        let adjectives: Vec<&str> = self.before.iter().skip(skip).map(String::as_str).collect();
        match noun.split_once(' ') {
            _ if adjectives.is_empty() => noun.to_string(),
            // "the activated units": what is said of them stands after the article.
            Some((article @ ("the" | "those" | "these" | "your" | "all"), things)) if self.whole => {
                format!("{article} {} {things}", adjectives.join(" "))
            }
            _ if self.whole => format!("{noun} that are {}", adjectives.join(" and ")),
            _ => format!("{} {noun}", adjectives.join(" ")),
        }
    }

    fn ending(&self, form: impl Fn(&After) -> &String) -> String {
        let mut out = String::new();
        let mut before = "";
        for words in self.after.iter().map(form) {
            // "that has Acted and does not have Used"
            match words.strip_prefix("that ").filter(|_| before.starts_with("that ")) {
                Some(rest) => out.push_str(&format!(" and {rest}")),
                None => out.push_str(&format!(" {words}")),
            }
            before = words;
        }
        out
    }

    /// "enemy units within 6″ of this unit"
    pub fn several(&self) -> String {
        let noun = self.with_before(&self.many, 0);
        let noun = if self.definite { format!("the {noun}") } else { noun };
        let owner = self.owner.as_ref().map(|owner| format!("{owner} ")).unwrap_or_default();
        format!("{owner}{noun}{}", self.ending(|after| &after.many))
    }

    /// "an enemy unit within 6″ of this unit"
    pub fn a(&self) -> String {
        match (self.out_of(), self.before.first().map(String::as_str)) {
            (Some(things), _) => format!("one of {things}"),
            (None, Some("other")) => format!("another {}{}", self.with_before(&self.one, 1), self.ending(|after| &after.one)),
            (None, _) => {
                let noun = self.with_before(&self.one, 0);
                format!("{} {noun}{}", article(&noun), self.ending(|after| &after.one))
            }
        }
    }

    /// "each enemy unit within 6″ of this unit"
    pub fn each(&self) -> String {
        match self.out_of() {
            Some(things) => format!("each of {things}"),
            None => format!("each {}{}", self.with_before(&self.one, 0), self.ending(|after| &after.one)),
        }
    }

    /// "enemy unit within 6″ of this unit", for "the … with the most"
    pub fn single(&self) -> String {
        if let Some(things) = self.out_of() {
            return format!("one of {things}");
        }
        format!("{}{}", self.with_before(&self.one, 0), self.ending(|after| &after.one))
    }

    /// "the enemy commander", "your commander"
    pub fn the_one(&self) -> String {
        let noun = format!("{}{}", self.with_before(&self.one, 0), self.ending(|after| &after.one));
        match &self.owner {
            Some(owner) => format!("{owner} {noun}"),
            None if self.whole => format!("the only one of {}", self.several()),
            None => format!("the {noun}"),
        }
    }

    /// "2 enemy units", "2 of your units"
    pub fn counted(&self, count: &str) -> String {
        let of = if self.out_of().is_some() { "of " } else { "" };
        format!("{count} {of}{}", self.several())
    }

    pub fn that(&self) -> String {
        if self.whole {
            return self.element.as_ref().map_or_else(|| "it".into(), |element| format!("that {element}"));
        }
        format!("that {}", self.one)
    }

    pub fn those(&self) -> String {
        if self.whole {
            return "those chosen".into();
        }
        format!("those {}", self.many)
    }

    /// Belongs to someone: "your units", "that player’s units", "the activated units that are yours".
    pub fn of(mut self, owner: &str) -> Self {
        if self.whole {
            let whose = if owner == "you" { "yours".into() } else { possessive(owner) };
            self.after.push(After::that_is(&whose));
        } else if is_long(owner) {
            self.definite = true;
            self.after.insert(0, After::both(format!("of {owner}")));
        } else {
            self.owner = Some(possessive(owner));
        }
        self
    }
}
