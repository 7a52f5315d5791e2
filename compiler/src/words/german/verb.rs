//! German verbs: what follows from the infinitive, and the strong ones by heart.

use super::noun::Np;

/// Forms of a verb; what is split off stands before `|` in a catalogue: "zu|fügen".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    /// "zu" of "zufügen", or nothing.
    prefix: String,
    infinitive: String,
    /// "fügt"
    third: String,
    /// "fügst"
    second: String,
    /// "füge"
    command: String,
    /// "gefügt", without what is split off
    participle: String,
    /// "ist gegangen" and not "hat"
    moves: bool,
}

/// Infinitive, third person, participle, and whether its perfect is made with "sein".
const STRONG: &[(&str, &str, &str, bool)] = &[
    ("bekommen", "bekommt", "bekommen", false),
    ("binden", "bindet", "gebunden", false),
    ("bleiben", "bleibt", "geblieben", true),
    ("brechen", "bricht", "gebrochen", false),
    ("bringen", "bringt", "gebracht", false),
    ("fahren", "fährt", "gefahren", true),
    ("fallen", "fällt", "gefallen", true),
    ("fangen", "fängt", "gefangen", false),
    ("finden", "findet", "gefunden", false),
    ("fliegen", "fliegt", "geflogen", true),
    ("geben", "gibt", "gegeben", false),
    ("gehen", "geht", "gegangen", true),
    ("gelten", "gilt", "gegolten", false),
    ("gewinnen", "gewinnt", "gewonnen", false),
    ("greifen", "greift", "gegriffen", false),
    ("halten", "hält", "gehalten", false),
    ("heben", "hebt", "gehoben", false),
    ("helfen", "hilft", "geholfen", false),
    ("kommen", "kommt", "gekommen", true),
    ("laden", "lädt", "geladen", false),
    ("lassen", "lässt", "gelassen", false),
    ("laufen", "läuft", "gelaufen", true),
    ("lesen", "liest", "gelesen", false),
    ("liegen", "liegt", "gelegen", false),
    ("nehmen", "nimmt", "genommen", false),
    ("reiten", "reitet", "geritten", true),
    ("rufen", "ruft", "gerufen", false),
    ("scheiden", "scheidet", "geschieden", false),
    ("schießen", "schießt", "geschossen", false),
    ("schlagen", "schlägt", "geschlagen", false),
    ("schließen", "schließt", "geschlossen", false),
    ("sehen", "sieht", "gesehen", false),
    ("sinken", "sinkt", "gesunken", true),
    ("springen", "springt", "gesprungen", true),
    ("stehen", "steht", "gestanden", false),
    ("steigen", "steigt", "gestiegen", true),
    ("sterben", "stirbt", "gestorben", true),
    ("stoßen", "stößt", "gestoßen", false),
    ("tragen", "trägt", "getragen", false),
    ("treffen", "trifft", "getroffen", false),
    ("treten", "tritt", "getreten", true),
    ("tun", "tut", "getan", false),
    ("verlieren", "verliert", "verloren", false),
    ("weichen", "weicht", "gewichen", true),
    ("werfen", "wirft", "geworfen", false),
    ("ziehen", "zieht", "gezogen", false),
    ("zwingen", "zwingt", "gezwungen", false),
];

/// What is never split off, and leaves no room for "ge-".
const FIRM: &[&str] = &["be", "emp", "ent", "er", "ge", "miss", "ver", "zer", "über", "unter", "wider"];

impl Verb {
    /// "zu|fügen", "angreifen" is written "an|greifen".
    pub fn read(text: &str) -> Option<Self> {
        let (prefix, infinitive) = text.split_once('|').unwrap_or(("", text));
        if infinitive.len() < 3 || !infinitive.ends_with('n') || infinitive.contains(' ') {
            return None;
        }
        let verb = match infinitive {
            "sein" => Self::irregular(infinitive, ["ist", "bist", "sei", "gewesen"], true),
            "haben" => Self::irregular(infinitive, ["hat", "hast", "habe", "gehabt"], false),
            "werden" => Self::irregular(infinitive, ["wird", "wirst", "werde", "geworden"], true),
            "können" => Self::irregular(infinitive, ["kann", "kannst", "könne", "gekonnt"], false),
            "dürfen" => Self::irregular(infinitive, ["darf", "darfst", "dürfe", "gedurft"], false),
            "müssen" => Self::irregular(infinitive, ["muss", "musst", "müsse", "gemusst"], false),
            _ => Self::by_heart(infinitive).unwrap_or_else(|| Self::weak(infinitive)),
        };
        Some(Self { prefix: prefix.into(), ..verb })
    }

    fn irregular(infinitive: &str, [third, second, command, participle]: [&str; 4], moves: bool) -> Self {
        let words = [infinitive, third, second, command, participle].map(String::from);
        let [infinitive, third, second, command, participle] = words;
        Self { prefix: String::new(), infinitive, third, second, command, participle, moves }
    }

    /// "zerbrechen" is as "brechen".
    fn by_heart(infinitive: &str) -> Option<Self> {
        let find = |verb: &str| STRONG.iter().find(|(has, ..)| *has == verb);
        let (firm, row) = match find(infinitive) {
            Some(row) => ("", row),
            None => FIRM.iter().find_map(|firm| Some((*firm, find(infinitive.strip_prefix(firm)?)?)))?,
        };
        let (base, third, participle, moves) = *row;
        let participle = if firm.is_empty() { participle } else { participle.strip_prefix("ge").unwrap_or(participle) };
        // "wirf", but "greife"
        let stem = third.strip_suffix('t').unwrap_or(third);
        let own = base.strip_suffix("en").or_else(|| base.strip_suffix('n')).unwrap_or(base);
        let raised = stem.contains('i') && !own.contains('i') && !stem.contains("ie") || base == "lesen" || base == "sehen";
        let command = match base {
            "sehen" => "sieh".into(),
            "lesen" => "lies".into(),
            // "tritt" has lost its ending, "hält" is "halte"
            "treten" => "tritt".into(),
            _ if raised => stem.to_string(),
            _ => format!("{own}e"),
        };
        Some(Self {
            prefix: String::new(),
            infinitive: infinitive.into(),
            third: format!("{firm}{third}"),
            // "hältst", but "reitest"
            second: if own.ends_with('t') && !third.ends_with("et") {
                format!("{firm}{third}st")
            } else {
                format!("{firm}{}", second_of(third))
            },
            command: format!("{firm}{command}"),
            participle: format!("{firm}{participle}"),
            moves: moves && !["be", "er", "ver", "zer"].contains(&firm),
        })
    }

    fn weak(infinitive: &str) -> Self {
        let stem = infinitive.strip_suffix("en").or_else(|| infinitive.strip_suffix('n')).unwrap_or(infinitive);
        let short = infinitive.ends_with("eln") || infinitive.ends_with("ern");
        let soft =
            stem.ends_with(['t', 'd']) || stem.ends_with("chn") || stem.ends_with("ffn") || stem.ends_with("gn") || stem.ends_with("dm");
        let third = format!("{stem}{}", if soft { "et" } else { "t" });
        let firm = FIRM.iter().any(|firm| stem.strip_prefix(firm).is_some_and(|rest| rest.len() > 2)) || infinitive.ends_with("ieren");
        let command = match stem.strip_suffix("el") {
            Some(front) if short => format!("{front}le"),
            _ => format!("{stem}e"),
        };
        Self {
            prefix: String::new(),
            infinitive: infinitive.into(),
            second: second_of(&third),
            command,
            participle: if firm { third.clone() } else { format!("ge{third}") },
            third,
            moves: ["folgen", "reisen", "wandern", "eilen", "klettern"].contains(&infinitive),
        }
    }

    /// "fügt", "fügen", "fügst"
    fn present(&self, subject: &Np) -> &str {
        match subject {
            _ if subject.is_you => &self.second,
            _ if !subject.sort.several => &self.third,
            _ if self.infinitive == "sein" => "sind",
            _ => &self.infinitive,
        }
    }
}

/// "fügt" → "fügst", "greift" → "greifst", "schließt" → "schließt"
fn second_of(third: &str) -> String {
    let stem = match third.strip_suffix("et") {
        Some(stem) if stem.ends_with(['t', 'd', 'n', 'm']) => return format!("{stem}est"),
        _ => third.strip_suffix('t').unwrap_or(third),
    };
    if stem.ends_with(['s', 'ß', 'x', 'z']) { format!("{stem}t") } else { format!("{stem}st") }
}

/// When, and whether it is done or suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    Present,
    /// "hat … zugefügt"
    Perfect,
    /// "würde … zufügen"
    Would,
    /// "darf … zufügen", "kann … zufügen"
    With(&'static str),
}

/// Someone does something: everything but the verb stands in the order of a clause that ends with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// None: you are told to do it.
    pub subject: Option<Np>,
    pub middle: Vec<String>,
    pub verb: Verb,
    pub tense: Tense,
    /// It is done to the subject: "wird … zugefügt".
    pub suffered: bool,
}

fn spoken(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Clause {
    pub fn new(subject: Option<Np>, middle: Vec<String>, verb: Verb) -> Self {
        Self { subject, middle, verb, tense: Tense::Present, suffered: false }
    }

    pub fn is_command(&self) -> bool {
        self.subject.is_none()
    }

    fn who(&self) -> Np {
        self.subject.clone().unwrap_or_else(Np::you)
    }

    /// What agrees with the subject, and what stands at the end.
    fn verbs(&self) -> (String, String) {
        let who = self.who();
        let whole = |form: &str| format!("{}{form}", self.verb.prefix);
        let aux = |infinitive: &str| Verb::read(infinitive).map_or_else(String::new, |verb| verb.present(&who).to_string());
        let would = || match &who {
            _ if who.is_you => "würdest",
            _ if who.sort.several => "würden",
            _ => "würde",
        };
        let (done, do_it) = (whole(&self.verb.participle), whole(&self.verb.infinitive));
        match (self.tense, self.suffered) {
            (Tense::Present, true) => (aux("werden"), done),
            (Tense::Perfect, true) => {
                let was = if who.is_you {
                    "wurdest"
                } else if who.sort.several {
                    "wurden"
                } else {
                    "wurde"
                };
                (was.into(), done)
            }
            (Tense::Would, true) => (would().into(), done),
            (Tense::With(modal), true) => (aux(modal), format!("{done} werden")),
            (Tense::Present, false) if self.subject.is_none() => (self.verb.command.clone(), self.verb.prefix.clone()),
            (Tense::Present, false) => (self.verb.present(&who).to_string(), self.verb.prefix.clone()),
            (Tense::Perfect, false) => (aux(if self.verb.moves { "sein" } else { "haben" }), done),
            (Tense::Would, false) => (would().into(), do_it),
            (Tense::With(modal), false) => (aux(modal), do_it),
        }
    }

    /// "füge dieser Miniatur 1 Schaden zu", "fügt diese Miniatur …": after something that stands first, or as a command.
    pub fn after_first(&self) -> String {
        let (finite, end) = self.verbs();
        let subject = self.subject.as_ref().map(|who| who.subject().to_string());
        spoken([finite].into_iter().chain(subject).chain(self.middle.clone()).chain([end]))
    }

    /// "diese Miniatur fügt …"
    pub fn plain(&self) -> String {
        match &self.subject {
            None => self.after_first(),
            Some(who) => {
                let (finite, end) = self.verbs();
                spoken([who.subject().to_string(), finite].into_iter().chain(self.middle.clone()).chain([end]))
            }
        }
    }

    /// "diese Miniatur … zufügt": after "bevor", "falls", "die".
    pub fn dependent(&self) -> String {
        let (finite, end) = self.verbs();
        let last = if self.tense == Tense::Present && !self.suffered { format!("{end}{finite}") } else { spoken([end, finite]) };
        spoken([self.who().subject().to_string()].into_iter().chain(self.middle.clone()).chain([last]))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::noun::{Group, Noun};
    use super::*;

    fn clause(verb: &str, middle: &str) -> Clause {
        let mini = Group::new(Noun::read("die Miniatur|die Miniaturen").unwrap()).again(
            &super::super::noun::Before::Pointing("dies"),
            None,
            false,
        );
        Clause::new(Some(mini), vec![middle.into()], Verb::read(verb).unwrap())
    }

    #[test]
    fn one_phrase_in_every_order() {
        let it = clause("zu|fügen", "ihr 2 Schaden");
        assert_eq!(it.plain(), "diese Miniatur fügt ihr 2 Schaden zu");
        assert_eq!(it.after_first(), "fügt diese Miniatur ihr 2 Schaden zu");
        assert_eq!(it.dependent(), "diese Miniatur ihr 2 Schaden zufügt");
        assert_eq!(Clause { subject: None, ..it.clone() }.plain(), "füge ihr 2 Schaden zu");
        assert_eq!(Clause { tense: Tense::Perfect, ..it.clone() }.dependent(), "diese Miniatur ihr 2 Schaden zugefügt hat");
        assert_eq!(Clause { tense: Tense::With("können"), ..it.clone() }.plain(), "diese Miniatur kann ihr 2 Schaden zufügen");
        assert_eq!(Clause { tense: Tense::Would, suffered: true, ..it.clone() }.dependent(), "diese Miniatur ihr 2 Schaden zugefügt würde");
        assert_eq!(Clause { subject: Some(Np::you()), ..it }.plain(), "du fügst ihr 2 Schaden zu");
    }

    #[test]
    fn weak_and_strong_verbs() {
        let forms = |verb: &str| {
            let it = clause(verb, "");
            let of = |it: Clause| it.plain();
            let you = Clause { subject: Some(Np::you()), ..it.clone() };
            [of(Clause { subject: None, ..it.clone() }), of(it.clone()), of(you), of(Clause { tense: Tense::Perfect, ..it })]
                .map(|said| said.replace("diese Miniatur ", ""))
        };
        assert_eq!(forms("an|greifen"), ["greife an", "greift an", "du greifst an", "hat angegriffen"]);
        assert_eq!(forms("werfen"), ["wirf", "wirft", "du wirfst", "hat geworfen"]);
        assert_eq!(forms("ab|werfen"), ["wirf ab", "wirft ab", "du wirfst ab", "hat abgeworfen"]);
        assert_eq!(forms("zerstören"), ["zerstöre", "zerstört", "du zerstörst", "hat zerstört"]);
        assert_eq!(forms("aktivieren"), ["aktiviere", "aktiviert", "du aktivierst", "hat aktiviert"]);
        assert_eq!(forms("würfeln"), ["würfle", "würfelt", "du würfelst", "hat gewürfelt"]);
        assert_eq!(forms("beenden"), ["beende", "beendet", "du beendest", "hat beendet"]);
        assert_eq!(forms("gehen"), ["gehe", "geht", "du gehst", "ist gegangen"]);
        assert_eq!(forms("nehmen"), ["nimm", "nimmt", "du nimmst", "hat genommen"]);
        assert_eq!(forms("verlieren"), ["verliere", "verliert", "du verlierst", "hat verloren"]);
        assert_eq!(forms("erhalten"), ["erhalte", "erhält", "du erhältst", "hat erhalten"]);
        assert_eq!(forms("ziehen"), ["ziehe", "zieht", "du ziehst", "hat gezogen"]);
        assert_eq!(forms("schießen"), ["schieße", "schießt", "du schießt", "hat geschossen"]);
    }
}
