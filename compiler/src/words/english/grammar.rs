//! The little English the generator needs: articles, verb forms, sentences.

use crate::words::text::{BOLD, first_letter, spaced};

/// "shooting" → "shooting phase"; what is a length of time by its own name stays.
pub(super) fn phase_name(name: &str) -> String {
    const TIMES: &[&str] = &["phase", "step", "turn", "round", "game", "match", "battle", "day", "night", "season", "activation"];
    let name = spaced(name);
    let last = name.rsplit(' ').next().unwrap_or_default();
    if TIMES.contains(&last) { name } else { format!("{name} phase") }
}

/// Lower case at the start, unless the word is all capitals ("AP").
pub(super) fn small(text: &str) -> String {
    let mut letters = text.chars().filter(|c| *c != BOLD);
    let keep = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_uppercase);
    if keep || text.starts_with(BOLD) { text.to_string() } else { first_letter(text, |c| c.to_lowercase().collect()) }
}

/// "a" or "an", by the sound a word most likely starts with.
pub(super) fn article(word: &str) -> &'static str {
    let bare: String = word.chars().filter(|c| *c != BOLD && *c != '“').collect::<String>().to_lowercase();
    let starts = |list: &[&str]| list.iter().any(|start| bare.starts_with(start));
    // Sounds that spelling hides.
    if starts(&["uni", "use", "usu", "eu", "one ", "once", "ura", "ute"]) && !starts(&["unin", "unim"]) {
        return "a";
    }
    if starts(&["hour", "honest", "honour", "honor", "heir", "8", "11 ", "18"]) {
        return "an";
    }
    if bare.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

pub(super) fn with_article(noun: &str) -> String {
    format!("{} {noun}", article(noun))
}

/// "this unit" → "this unit's", "units" → "units'", "you" → "your"
pub(super) fn possessive(noun: &str) -> String {
    match noun {
        "you" => "your".into(),
        "it" => "its".into(),
        "they" | "them" => "their".into(),
        _ if noun.ends_with('s') && !noun.ends_with("ss") => format!("{noun}’"),
        _ => format!("{noun}’s"),
    }
}

/// Too long to take an ending: "one of your units within 3″ of this unit".
pub(super) fn is_long(noun: &str) -> bool {
    const JOINS: &[&str] = &["of", "within", "with", "without", "that", "in", "touching", "other", "if", "such", "from"];
    noun.split(' ').skip(1).any(|word| JOINS.contains(&word))
}

/// "round" → "rounds", "ability" → "abilities"
pub(in crate::words) fn plural(noun: &str) -> String {
    // The same endings as verbs have.
    third_person(noun)
}

/// "deal" → "deals"
pub(super) fn third_person(verb: &str) -> String {
    let vowel_before = |n: usize| verb.chars().rev().nth(n).is_some_and(|c| "aeiou".contains(c));
    match verb {
        "be" | "are" => "is".into(),
        "have" => "has".into(),
        _ if verb.ends_with('s') || verb.ends_with("sh") || verb.ends_with("ch") || verb.ends_with('x') || verb.ends_with('o') => {
            format!("{verb}es")
        }
        _ if verb.ends_with('y') && !vowel_before(1) => format!("{}ies", &verb[..verb.len() - 1]),
        _ => format!("{verb}s"),
    }
}

/// "loses" → "lose": the other way round, for verbs as they stand in templates.
pub(super) fn base_form(verb: &str) -> String {
    match verb {
        "is" => return "be".into(),
        "has" => return "have".into(),
        _ => {}
    }
    for (ending, instead) in [("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("oes", "o")] {
        if let Some(stem) = verb.strip_suffix(ending) {
            return format!("{stem}{instead}");
        }
    }
    verb.strip_suffix('s').unwrap_or(verb).to_string()
}

/// "is in cover" → "is not in cover", "the attack hits" → "it is not true that the attack hits"
pub(super) fn denied(clause: &str) -> String {
    let words: Vec<&str> = clause.split(' ').collect();
    for (n, word) in words.iter().enumerate() {
        let next = words.get(n + 1).copied().unwrap_or_default();
        let done = next == "been" || next.ends_with("ed") || next.ends_with("en");
        let instead = match *word {
            "is" | "are" | "was" | "were" | "can" | "will" | "may" => format!("{word} not"),
            "has" | "have" if done => format!("{word} not"),
            "has" => "does not have".into(),
            "have" => "do not have".into(),
            _ => continue,
        };
        return [&words[..n], &[instead.as_str()], &words[n + 1..]].concat().join(" ").replace("can not", "cannot");
    }
    format!("it is not true that {clause}")
}

/// "is pinned" → "are pinned"
pub(super) fn of_several(predicate: &str) -> String {
    let (verb, rest) = predicate.split_once(' ').unwrap_or((predicate, ""));
    let verb = match verb {
        "is" => "are".into(),
        "was" => "were".into(),
        "does" => "do".into(),
        "cannot" | "can" => verb.into(),
        _ => base_form(verb),
    };
    format!("{verb} {rest}").trim_end().to_string()
}

/// Verbs that do not follow the rule.
const IRREGULAR: &[(&str, &str)] = &[
    ("be", "been"),
    ("bear", "borne"),
    ("bid", "bid"),
    ("bind", "bound"),
    ("bite", "bitten"),
    ("blow", "blown"),
    ("build", "built"),
    ("burst", "burst"),
    ("catch", "caught"),
    ("drive", "driven"),
    ("eat", "eaten"),
    ("fall", "fallen"),
    ("feed", "fed"),
    ("fly", "flown"),
    ("forget", "forgotten"),
    ("freeze", "frozen"),
    ("get", "got"),
    ("grow", "grown"),
    ("hide", "hidden"),
    ("know", "known"),
    ("lead", "led"),
    ("lend", "lent"),
    ("light", "lit"),
    ("meet", "met"),
    ("read", "read"),
    ("ride", "ridden"),
    ("ring", "rung"),
    ("rise", "risen"),
    ("see", "seen"),
    ("seek", "sought"),
    ("shake", "shaken"),
    ("sing", "sung"),
    ("sink", "sunk"),
    ("sit", "sat"),
    ("slay", "slain"),
    ("sleep", "slept"),
    ("speak", "spoken"),
    ("spread", "spread"),
    ("stand", "stood"),
    ("swear", "sworn"),
    ("swing", "swung"),
    ("teach", "taught"),
    ("tear", "torn"),
    ("tell", "told"),
    ("wake", "woken"),
    ("wear", "worn"),
    ("wind", "wound"),
    ("write", "written"),
    ("become", "become"),
    ("break", "broken"),
    ("bring", "brought"),
    ("buy", "bought"),
    ("cast", "cast"),
    ("choose", "chosen"),
    ("cut", "cut"),
    ("deal", "dealt"),
    ("do", "done"),
    ("draw", "drawn"),
    ("fight", "fought"),
    ("find", "found"),
    ("give", "given"),
    ("go", "gone"),
    ("hit", "hit"),
    ("hold", "held"),
    ("hurt", "hurt"),
    ("keep", "kept"),
    ("lay", "laid"),
    ("leave", "left"),
    ("lose", "lost"),
    ("make", "made"),
    ("pay", "paid"),
    ("put", "put"),
    ("run", "run"),
    ("sell", "sold"),
    ("send", "sent"),
    ("set", "set"),
    ("shoot", "shot"),
    ("spend", "spent"),
    ("steal", "stolen"),
    ("strike", "struck"),
    ("take", "taken"),
    ("throw", "thrown"),
    ("win", "won"),
    ("begin", "begun"),
    ("bend", "bent"),
    ("creep", "crept"),
    ("dig", "dug"),
    ("forgive", "forgiven"),
    ("hang", "hung"),
    ("let", "let"),
    ("mistake", "mistaken"),
    ("overtake", "overtaken"),
    ("shed", "shed"),
    ("shear", "shorn"),
    ("shut", "shut"),
    ("spin", "spun"),
    ("split", "split"),
    ("stick", "stuck"),
    ("string", "strung"),
    ("sweep", "swept"),
    ("swim", "swum"),
    ("undo", "undone"),
    ("weave", "woven"),
    ("withdraw", "withdrawn"),
];

/// "destroy" → "destroyed"
pub(super) fn participle(verb: &str) -> String {
    if let Some((_, done)) = IRREGULAR.iter().find(|(base, _)| *base == verb) {
        return (*done).into();
    }
    let letters: Vec<char> = verb.chars().collect();
    let vowel = |c: &char| "aeiou".contains(*c);
    match letters.as_slice() {
        [.., 'e'] => format!("{verb}d"),
        [head @ .., last, 'y'] if !vowel(last) => format!("{}{last}ied", head.iter().collect::<String>()),
        // One short syllable: "trap" → "trapped"
        [front @ .., v, last] if front.len() <= 2 && vowel(v) && !front.iter().any(vowel) && !vowel(last) && !"wxy".contains(*last) => {
            format!("{verb}{last}ed")
        }
        _ => format!("{verb}ed"),
    }
}

/// Two things said of one are said with one subject: "this unit is late and has 2 or more Riders".
pub(super) fn both(parts: &[String], word: &str) -> String {
    const VERBS: &[&str] = &[" is ", " has ", " does not have ", " was ", " are ", " have "];
    let subject = |part: &str| {
        let end = VERBS.iter().filter_map(|verb| part.find(verb)).min()?;
        let subject = part.get(..end)?;
        // Of "one of your units" two may be meant.
        let is_one = ["this ", "that ", "the ", "your ", "its "].iter().any(|start| subject.starts_with(start));
        let is_one = is_one && !subject.ends_with(" that") && ![" or ", " and ", ", ", "“"].iter().any(|joins| subject.contains(joins));
        is_one.then(|| subject.to_string())
    };
    let mut out = String::new();
    for (n, part) in parts.iter().enumerate() {
        let before =
            n.checked_sub(1).and_then(|before| parts.get(before)).filter(|before| !before.contains(" or ") && !before.contains(" and "));
        let same = before.and_then(|before| subject(before)).filter(|has| subject(part).as_ref() == Some(has));
        let said = same.and_then(|subject| part.strip_prefix(&format!("{subject} "))).unwrap_or(part);
        if n > 0 {
            out.push_str(&format!(" {word} "));
        }
        out.push_str(said);
    }
    out
}

/// Is it something that was done: "masked", "stuck"?
pub(super) fn is_done(word: &str) -> bool {
    !word.contains(' ') && (word.ends_with("ed") || word.ends_with("en") || IRREGULAR.iter().any(|(_, done)| *done == word))
}

/// "a", "a and b", "a, b and c"
pub(super) fn list(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} {word} {last}", front.join(", ")),
    }
}
