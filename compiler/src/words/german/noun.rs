//! German nouns: genders, cases, articles and the endings of adjectives.

/// In the order of the tables below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Nominative,
    Accusative,
    Dative,
    Genitive,
}

impl Case {
    /// As a gap of a catalogue names it: `{target:dat}`.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "nom" => Some(Self::Nominative),
            "acc" => Some(Self::Accusative),
            "dat" => Some(Self::Dative),
            "gen" => Some(Self::Genitive),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gender {
    #[default]
    Masculine,
    Feminine,
    Neuter,
}

/// Which of the four columns of a table of endings: the genders, and several of any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    pub gender: Gender,
    pub several: bool,
}

impl Sort {
    fn column(self) -> usize {
        match (self.several, self.gender) {
            (true, _) => 3,
            (false, Gender::Masculine) => 0,
            (false, Gender::Feminine) => 1,
            (false, Gender::Neuter) => 2,
        }
    }

    fn of(self, table: &[[&'static str; 4]; 4], case: Case) -> &'static str {
        table[case as usize][self.column()]
    }

    /// "der", "dem", "den"
    pub fn the(self, case: Case) -> &'static str {
        const ARTICLE: [[&str; 4]; 4] =
            [["der", "die", "das", "die"], ["den", "die", "das", "die"], ["dem", "der", "dem", "den"], ["des", "der", "des", "der"]];
        self.of(&ARTICLE, case)
    }

    /// What begins a relative clause: "die", "denen".
    pub fn relative(self, case: Case) -> &'static str {
        match (case, self.column()) {
            (Case::Dative, 3) => "denen",
            (Case::Genitive, 1 | 3) => "deren",
            (Case::Genitive, _) => "dessen",
            _ => self.the(case),
        }
    }

    /// "er", "sie", "ihm"
    pub fn pronoun(self, case: Case) -> &'static str {
        const PRONOUN: [[&str; 4]; 4] = [
            ["er", "sie", "es", "sie"],
            ["ihn", "sie", "es", "sie"],
            ["ihm", "ihr", "ihm", "ihnen"],
            ["seiner", "ihrer", "seiner", "ihrer"],
        ];
        self.of(&PRONOUN, case)
    }

    /// What ends "dies-", "jen-", "jed-", "all-".
    pub fn strong(self, case: Case) -> &'static str {
        const ENDING: [[&str; 4]; 4] = [["er", "e", "es", "e"], ["en", "e", "es", "e"], ["em", "er", "em", "en"], ["es", "er", "es", "er"]];
        self.of(&ENDING, case)
    }

    /// What ends "ein-", "kein-", "dein-".
    pub fn mixed(self, case: Case) -> &'static str {
        const ENDING: [[&str; 4]; 4] = [["", "e", "", "e"], ["en", "e", "", "e"], ["em", "er", "em", "en"], ["es", "er", "es", "er"]];
        self.of(&ENDING, case)
    }

    /// What ends an adjective.
    fn adjective(self, case: Case, after: After) -> &'static str {
        const WEAK: [[&str; 4]; 4] = [["e", "e", "e", "en"], ["en", "e", "e", "en"], ["en", "en", "en", "en"], ["en", "en", "en", "en"]];
        const MIXED: [[&str; 4]; 4] =
            [["er", "e", "es", "en"], ["en", "e", "es", "en"], ["en", "en", "en", "en"], ["en", "en", "en", "en"]];
        const BARE: [[&str; 4]; 4] = [["er", "e", "es", "e"], ["en", "e", "es", "e"], ["em", "er", "em", "en"], ["en", "er", "en", "er"]];
        match after {
            After::The => self.of(&WEAK, case),
            After::One => self.of(&MIXED, case),
            After::Nothing => self.of(&BARE, case),
        }
    }
}

/// What stands before an adjective: "der", "ein" or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    The,
    One,
    Nothing,
}

/// "gegnerisch" → "gegnerische"; what has an "e" too many loses it: "dunkel" → "dunkle".
pub(super) fn inflected(adjective: &str, sort: Sort, case: Case, after: After) -> String {
    // What is a phrase and no adjective has no endings.
    if adjective.contains(' ') {
        return adjective.to_string();
    }
    let stem = match adjective.strip_suffix("el") {
        Some(front) if front.len() > 1 => format!("{front}l"),
        _ => adjective.strip_suffix('e').unwrap_or(adjective).to_string(),
    };
    format!("{stem}{}", sort.adjective(case, after))
}

/// A noun with its forms, one and several, in the order of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noun {
    pub gender: Gender,
    /// There is no one of it: "die Wunden".
    only_several: bool,
    one: [String; 4],
    several: [String; 4],
}

impl Noun {
    /// "die Miniatur|die Miniaturen", "|die Wunden"; where the genitive does not follow from the rest it is written too: "der Bote, des Boten|die Boten".
    pub fn read(text: &str) -> Option<Self> {
        let (one, several) = text.split_once('|').unwrap_or((text, ""));
        if one.trim().is_empty() {
            let noun = several.trim().strip_prefix("die ")?;
            let forms = plural_of(noun);
            return Some(Self { gender: Gender::Feminine, only_several: true, one: forms.clone(), several: forms });
        }
        let (one, genitive) = match one.split_once(',') {
            Some((one, genitive)) => (one.trim(), Some(genitive.trim())),
            None => (one.trim(), None),
        };
        let (article, noun) = one.split_once(' ')?;
        let gender = match article {
            "der" => Gender::Masculine,
            "die" => Gender::Feminine,
            "das" => Gender::Neuter,
            _ => return None,
        };
        let genitive = match genitive {
            Some(written) => written.split_once(' ').filter(|(article, _)| ["des", "der"].contains(article))?.1.to_string(),
            None => genitive_of(noun, gender),
        };
        // "der Bote, des Boten": the other cases are as the genitive.
        let weak = gender == Gender::Masculine && genitive.ends_with('n') && !noun.ends_with('n');
        let other = if weak { genitive.clone() } else { noun.to_string() };
        let several = several.trim();
        let several = several.strip_prefix("die ").unwrap_or(if several.is_empty() { noun } else { several });
        Some(Self { gender, only_several: false, one: [noun.to_string(), other.clone(), other, genitive], several: plural_of(several) })
    }

    /// A word that nobody translated: it stays as it is.
    pub fn foreign(one: &str, several: &str) -> Self {
        let same = |word: &str| std::array::from_fn(|_| word.to_string());
        Self { gender: Gender::Neuter, only_several: false, one: same(one), several: same(several) }
    }

    pub fn sort(&self, several: bool) -> Sort {
        Sort { gender: self.gender, several: several || self.only_several }
    }

    pub fn form(&self, several: bool, case: Case) -> &str {
        &(if several { &self.several } else { &self.one })[case as usize]
    }
}

/// Only the dative has an ending of its own.
fn plural_of(noun: &str) -> [String; 4] {
    let dative = if noun.ends_with(['n', 's', 'a', 'o']) { noun.to_string() } else { format!("{noun}n") };
    [noun.to_string(), noun.to_string(), dative, noun.to_string()]
}

fn genitive_of(noun: &str, gender: Gender) -> String {
    if gender == Gender::Feminine {
        return noun.to_string();
    }
    if noun.ends_with(['s', 'ß', 'x', 'z']) { format!("{noun}es") } else { format!("{noun}s") }
}

/// A thing as it can stand in a sentence: its four cases, and what verbs and pronouns have to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Np {
    pub cases: [String; 4],
    pub sort: Sort,
    /// "du"
    pub is_you: bool,
    /// With "kein" in place of "ein", of what is just any.
    pub none: Option<[String; 4]>,
}

pub(super) const CASES: [Case; 4] = [Case::Nominative, Case::Accusative, Case::Dative, Case::Genitive];

impl Np {
    pub fn you() -> Self {
        let cases = ["du", "dich", "dir", "deiner"].map(String::from);
        Self { cases, sort: Sort { gender: Gender::Neuter, several: false }, is_you: true, none: None }
    }

    /// What has no forms: a number, a name.
    pub fn fixed(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            cases: std::array::from_fn(|_| words.clone()),
            sort: Sort { gender: Gender::Neuter, several: false },
            is_you: false,
            none: None,
        }
    }

    pub fn pronoun(sort: Sort) -> Self {
        Self { cases: CASES.map(|case| sort.pronoun(case).to_string()), sort, is_you: false, none: None }
    }

    pub fn relative(sort: Sort) -> Self {
        Self { cases: CASES.map(|case| sort.relative(case).to_string()), sort, is_you: false, none: None }
    }

    pub fn in_case(&self, case: Case) -> &str {
        &self.cases[case as usize]
    }

    pub fn subject(&self) -> &str {
        self.in_case(Case::Nominative)
    }

    /// "kein Schaden" in place of "ein Schaden", if there is such a thing.
    pub fn denied(&self) -> Option<Self> {
        let cases = self.none.clone()?;
        Some(Self { cases, none: None, ..self.clone() })
    }
}

/// What stands before a noun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    The,
    /// "eine Miniatur", and of several nothing.
    Any,
    /// "kein"
    No,
    /// "diese", "jene": the stem.
    Pointing(&'static str),
    /// "dein", "sein": the stem.
    Owned(String),
    /// "2", "bis zu 2"
    Count(String),
    Nothing,
}

/// A noun with everything around it, before its case is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub noun: Noun,
    /// Whose it is, if that is told before the noun: "dein".
    pub owner: Option<String>,
    /// From left to right.
    pub adjectives: Vec<String>,
    /// Whose it is: "des Gegners".
    pub of: Option<String>,
    /// "im Umkreis von 3″ um diese Miniatur"
    pub behind: Vec<String>,
    /// Relative clauses, without pronoun and comma, for one and for several.
    pub that: Vec<[String; 2]>,
}

impl Group {
    pub fn new(noun: Noun) -> Self {
        Self { noun, owner: None, adjectives: Vec::new(), of: None, behind: Vec::new(), that: Vec::new() }
    }

    fn told(&self, before: &Before, several: bool, case: Case) -> String {
        let sort = self.noun.sort(several);
        let (start, after) = match before {
            Before::The => (sort.the(case).to_string(), After::The),
            Before::Any if several => (String::new(), After::Nothing),
            Before::Any => (format!("ein{}", sort.mixed(case)), After::One),
            Before::No => (format!("kein{}", sort.mixed(case)), After::One),
            Before::Pointing(stem) => (format!("{stem}{}", sort.strong(case)), After::The),
            Before::Owned(stem) => (format!("{stem}{}", sort.mixed(case)), After::One),
            Before::Count(count) => (count.clone(), After::Nothing),
            Before::Nothing => (String::new(), After::Nothing),
        };
        let mut words = vec![start];
        words.extend(self.adjectives.iter().map(|adjective| inflected(adjective, sort, case, after)));
        words.push(self.noun.form(several, case).to_string());
        words.extend(self.of.iter().cloned());
        words.extend(self.behind.iter().cloned());
        let mut out = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        for (n, clause) in self.that.iter().enumerate() {
            let clause = &clause[usize::from(several)];
            let start = if n == 0 { "," } else { " und" };
            out.push_str(&format!("{start} {} {clause}", sort.relative(Case::Nominative)));
        }
        if !self.that.is_empty() {
            out.push(',');
        }
        out
    }

    pub fn np(&self, before: &Before, several: bool) -> Np {
        let none = (*before == Before::Any).then(|| CASES.map(|case| self.told(&Before::No, several, case)));
        Np { cases: CASES.map(|case| self.told(before, several, case)), sort: self.noun.sort(several), is_you: false, none }
    }

    /// "eine gegnerische Miniatur", "eine deiner Miniaturen"
    pub fn any(&self) -> Np {
        match &self.owner {
            Some(_) => self.out_of("ein", "kein"),
            None => self.np(&Before::Any, false),
        }
    }

    /// "jede gegnerische Miniatur", "jede deiner Miniaturen"
    pub fn each(&self) -> Np {
        match &self.owner {
            Some(_) => self.out_of("jed", "kein"),
            None => self.np(&Before::Pointing("jed"), false),
        }
    }

    /// "gegnerische Miniaturen", "deine Miniaturen", "2 deiner Miniaturen"
    pub fn all(&self, count: Option<&str>) -> Np {
        match (&self.owner, count) {
            (None, None) => self.np(&Before::Any, true),
            (None, Some(count)) => self.np(&Before::Count(count.into()), true),
            (Some(owner), None) => self.np(&Before::Owned(owner.clone()), true),
            (Some(owner), Some(count)) => {
                let things = self.told(&Before::Owned(owner.clone()), true, Case::Genitive);
                Np { sort: self.noun.sort(true), ..Np::fixed(format!("{count} {things}")) }
            }
        }
    }

    /// One of the owner's things: "eine deiner Miniaturen", which has the gender of what it is one of.
    fn out_of(&self, stem: &str, none: &str) -> Np {
        let sort = self.noun.sort(false);
        let things = match &self.owner {
            Some(owner) => self.told(&Before::Owned(owner.clone()), true, Case::Genitive),
            None => String::new(),
        };
        let one = |stem: &str| CASES.map(|case| format!("{stem}{} {things}", sort.strong(case)));
        Np { cases: one(stem), sort, is_you: false, none: (stem == "ein").then(|| one(none)) }
    }

    /// "diese Miniatur", "jene Miniaturen", "die gewählte Miniatur": without what was told the first time.
    pub fn again(&self, before: &Before, adjective: Option<&str>, several: bool) -> Np {
        let bare = Group { adjectives: adjective.map(String::from).into_iter().collect(), ..Self::new(self.noun.clone()) };
        bare.np(before, several)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn group(noun: &str) -> Group {
        Group::new(Noun::read(noun).unwrap())
    }

    #[test]
    fn genders_and_cases() {
        let mut mini = group("die Miniatur|die Miniaturen");
        mini.adjectives.push("gegnerisch".into());
        let any = mini.any();
        assert_eq!(
            any.cases,
            ["eine gegnerische Miniatur", "eine gegnerische Miniatur", "einer gegnerischen Miniatur", "einer gegnerischen Miniatur"]
        );
        assert_eq!(any.denied().unwrap().subject(), "keine gegnerische Miniatur");
        assert_eq!(mini.each().in_case(Case::Dative), "jeder gegnerischen Miniatur");
        assert_eq!(mini.all(None).in_case(Case::Dative), "gegnerischen Miniaturen");
        let mut scout = group("der Bote, des Boten|die Boten");
        scout.owner = Some("dein".into());
        scout.adjectives.push("dunkel".into());
        assert_eq!(scout.any().cases[1], "einen deiner dunklen Boten");
        assert_eq!(scout.all(Some("2")).subject(), "2 deiner dunklen Boten");
        assert_eq!(
            group("der Bote, des Boten|die Boten").np(&Before::The, false).cases,
            ["der Bote", "den Boten", "dem Boten", "des Boten"]
        );
        assert_eq!(group("das Schiff|die Schiffe").np(&Before::Pointing("dies"), true).in_case(Case::Dative), "diesen Schiffen");
        assert_eq!(group("das Schiff|die Schiffe").np(&Before::Pointing("dies"), false).in_case(Case::Genitive), "dieses Schiffs");
        assert_eq!(group("der Zauber|die Zauber").any().in_case(Case::Accusative), "einen Zauber");
    }

    #[test]
    fn what_is_no_noun_is_told() {
        assert_eq!(Noun::read("Miniatur"), None);
        assert_eq!(Noun::read("der Bote, Boten|die Boten"), None);
    }
}
