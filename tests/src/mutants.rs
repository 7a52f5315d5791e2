//! Small changes of rules that change what they do: a test of words asks for other words after each.

/// One changed text of a file.
pub struct Mutant {
    /// Which change it is: "drop a condition".
    pub class: &'static str,
    /// The line that was changed, from 1.
    pub line: usize,
    pub was: String,
    pub is: String,
    pub text: String,
}

/// Changes of one word to another, wherever the word stands in a rule.
const OTHER_WORDS: &[(&str, &str, &str)] = &[
    ("before ", "after ", "before to after"),
    ("after ", "before ", "after to before"),
    ("your ", "enemy ", "your to enemy"),
    ("enemy ", "your ", "enemy to your"),
    ("other ", "", "drop other"),
    ("your ", "", "drop an owner"),
    ("enemy ", "", "drop an owner"),
    ("opponent", "you", "opponent to you"),
    (" == ", " != ", "turn a comparison round"),
    (" != ", " == ", "turn a comparison round"),
    (" >= ", " < ", "turn a comparison round"),
    (" >= ", " > ", "turn a comparison round"),
    (" <= ", " > ", "turn a comparison round"),
    (" > ", " >= ", "turn a comparison round"),
    (" < ", " >= ", "turn a comparison round"),
    (" +", " -", "another sign"),
    (" -", " +", "another sign"),
    (" += ", " -= ", "another sign"),
    (" -= ", " += ", "another sign"),
    ("not ", "", "drop not"),
    ("any ", "no ", "any to no"),
    ("no ", "any ", "any to no"),
    ("highest(", "lowest(", "highest to lowest"),
    ("lowest(", "highest(", "highest to lowest"),
    ("rounded up", "rounded down", "another rounding"),
    ("rounded down", "rounded up", "another rounding"),
    ("end of next ", "end of ", "drop next"),
    ("toward(", "away(", "another direction"),
    ("away(", "toward(", "another direction"),
    ("at least", "at most", "another bound"),
    ("at most", "at least", "another bound"),
    ("until end of", "until start of", "another moment"),
    ("up to 1 ", "", "drop up to"),
    (" and ", " or ", "and to or"),
    (" or ", " and ", "or to and"),
];

/// What begins a clause that can be left out, and which change that is.
const CLAUSES: &[(&str, &str)] = &[
    (" where ", "drop a condition"),
    (" while ", "drop a condition"),
    (" once per ", "drop once per"),
    (" until ", "drop a duration"),
    (" by ", "drop who"),
    (" to ", "drop a destination"),
    (" at ", "drop a destination"),
    (" into ", "drop a destination"),
    (" from ", "drop an argument"),
    (" with ", "drop an argument"),
    (" for ", "drop an argument"),
    (" using ", "drop an argument"),
    (" against ", "drop an argument"),
    (" within ", "drop a measure"),
];

/// Where a clause ends: at what begins the next one, at a brace, a comma or the end of the line. Brackets are skipped.
fn clause_end(line: &str, from: usize) -> usize {
    let mut depth = 0i32;
    let stops = [
        " where ",
        " while ",
        " once per ",
        " until ",
        " by ",
        " to ",
        " at ",
        " into ",
        " from ",
        " with ",
        " for ",
        " using ",
        " against ",
    ];
    for (i, c) in line[from..].char_indices() {
        let here = from + i;
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return here,
            ')' | ']' => depth -= 1,
            '{' | '}' | ',' | ';' if depth == 0 => return line[..here].trim_end().len(),
            ' ' if depth == 0 && i > 0 && stops.iter().any(|stop| line[here..].starts_with(stop)) => return here,
            _ => {}
        }
    }
    line.trim_end().len()
}

/// A piece of a line that is values, which stand on the card as numbers and not in words: `health: 3`, `4 Tallyrat`.
fn is_stat(piece: &str) -> bool {
    let piece = piece.trim();
    let label = piece.split(':').next().unwrap_or_default();
    let is_label = piece.contains(": ") && !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_label && !piece.contains(" within ") && !piece.contains(" where ") || piece.starts_with(|c: char| c.is_ascii_digit())
}

/// Items that are no cards and no keywords, and so print nothing of their own. Of rules in the first column those are printed that grant.
const OTHER_ITEMS: &[&str] = &[
    "use", "ruleset", "enum", "kind", "define", "fact", "table", "action", "phase", "limit", "face", "test", "before", "after", "at",
    "instead", "cannot", "resource", "roster", "army", "deck",
];

/// Which letters of a line are rules: no prose in quotes, no comments, no values, nothing before the first brace of an item, except in a grant.
fn free(line: &str) -> Vec<bool> {
    let mut free = vec![true; line.len()];
    let mut quoted = false;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        // Behind a digit it is an inch.
        if c == '"' && (quoted || !before.is_ascii_digit()) {
            quoted = !quoted;
            free[at] = false;
        }
        if quoted {
            free[at..at + c.len_utf8()].fill(false);
        } else if line[at..].starts_with("//") {
            free[at..].fill(false);
            break;
        }
        before = c;
    }
    if line.starts_with(|c: char| c.is_alphabetic()) && !line.starts_with("grant ") {
        let head = line.find('{').map_or(line.len(), |at| at + 1);
        free[..head].fill(false);
    }
    let mut from = 0;
    for (at, c) in line.char_indices().chain([(line.len(), ',')]) {
        let ends = matches!(c, ',' | ';' | '{' | '}') && free.get(at).copied().unwrap_or(true);
        if ends {
            if is_stat(&line[from..at]) {
                free[from..at].fill(false);
            }
            from = (at + 1).min(line.len());
        }
    }
    free
}

/// Statements of a line that stand in the block of a rule: from and to.
fn deeds(line: &str, free: &[bool], inside: bool) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (usize::from(inside) * 2, 0);
    if line.starts_with(|c: char| c.is_alphabetic()) {
        depth = 0;
    }
    for (at, c) in line.char_indices().chain([(line.len(), ';')]) {
        if at < line.len() && !free[at] && c != '{' && c != '}' {
            continue;
        }
        match c {
            '{' => {
                depth += 1;
                from = at + 1;
            }
            '}' | ',' | ';' => {
                let piece = &line[from..at];
                let is_deed = depth >= 2 && !piece.trim().is_empty() && !is_stat(piece) && free[from..at].iter().any(|free| *free);
                // A list goes on behind its commas.
                if is_deed && piece.matches(['(', '[']).count() == piece.matches([')', ']']).count() {
                    out.push((from, at));
                }
                depth = depth.saturating_sub(usize::from(c == '}'));
                from = at + c.len_utf8().min(line.len() - at);
            }
            _ => {}
        }
    }
    out
}

/// The mutants of the rules of cards and keywords in a text. Prose, values, tests and items that print nothing are left alone.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut in_card = false;
    let mut prose = false;
    let mut of_card = vec![false; lines.len()];
    let mut push = |class, n: usize, is: String| {
        let mut changed: Vec<&str> = lines.clone();
        changed[n] = &is;
        let text = changed.join("\n") + "\n";
        out.push(Mutant { class, line: n + 1, was: lines[n].trim().into(), is: is.trim().into(), text });
    };
    for (n, line) in lines.iter().enumerate() {
        if line.starts_with(|c: char| c.is_alphabetic()) {
            let first = line.split([' ', '{']).next().unwrap_or_default();
            in_card = !OTHER_ITEMS.contains(&first);
        }
        let was_prose = prose;
        prose ^= line.matches("\"\"\"").count() % 2 == 1;
        of_card[n] = in_card && !was_prose && !prose;
        let bare = line.trim();
        if !of_card[n] || bare.starts_with("//") || bare.starts_with("says") || bare.starts_with("todo") {
            continue;
        }
        let free = free(line);
        let is_free = |from: usize, to: usize| from < to && free[from..to].iter().all(|free| *free);
        for (was, is, class) in OTHER_WORDS {
            for (at, _) in line.match_indices(was).filter(|(at, _)| is_free(*at, at + was.len())) {
                push(class, n, format!("{}{is}{}", &line[..at], &line[at + was.len()..]));
            }
        }
        for (word, class) in CLAUSES {
            for (at, _) in line.match_indices(word).filter(|(at, _)| is_free(*at, at + word.len())) {
                let end = clause_end(line, at + word.len());
                // Who is left out is you.
                if &line[at..end.max(at)] == " by you" {
                    continue;
                }
                push(class, n, format!("{}{}", &line[..at], &line[end.max(at)..]));
                // What is asked for, the other way round, and each half of it alone.
                if matches!(*word, " where " | " while ") {
                    let cond = &line[at + word.len()..end.max(at + word.len())];
                    push("negate a condition", n, format!("{}{word}not ({cond}){}", &line[..at], &line[end.max(at)..]));
                    for half in cond.split(" and ").filter(|_| cond.contains(" and ")) {
                        push("half a condition", n, format!("{}{word}{half}{}", &line[..at], &line[end.max(at)..]));
                    }
                }
            }
        }
        for (at, c) in line.char_indices().filter(|(at, _)| free[*at]) {
            let alone = !line[..at].ends_with(|b: char| b.is_alphanumeric() || b == '_' || b == '.');
            if c.is_ascii_digit() && alone {
                let end = line[at..].find(|b: char| !b.is_ascii_digit()).map_or(line.len(), |len| at + len);
                let number: u64 = line[at..end].parse().unwrap_or(0);
                push("change a number", n, format!("{}{}{}", &line[..at], number + 1, &line[end..]));
            }
        }
        let inside = line.starts_with("    ");
        for (from, to) in deeds(line, &free, inside) {
            push("drop a statement", n, format!("{}{}", &line[..from], line[to..].trim_start_matches([',', ';'])));
        }
    }
    // Two lines of one block, the other way round.
    for (n, pair) in lines.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_deed = |line: &str| {
            !line.contains(['{', '}', ':', '"'])
                && indent(line) >= 4
                && !is_stat(line.trim())
                && !line.trim().is_empty()
                && !line.contains("//")
        };
        if of_card[n] && is_deed(a) && is_deed(b) && indent(a) == indent(b) && a != b {
            let mut changed: Vec<&str> = lines.clone();
            changed.swap(n, n + 1);
            let text = changed.join("\n") + "\n";
            out.push(Mutant { class: "swap two lines", line: n + 1, was: a.trim().into(), is: b.trim().into(), text });
        }
    }
    out
}
