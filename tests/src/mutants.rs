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
    (" == ", " != ", "turn a comparison round"),
    (" >= ", " < ", "turn a comparison round"),
    (" <= ", " > ", "turn a comparison round"),
    ("until end of", "until start of", "another moment"),
    ("up to 1 ", "", "drop up to"),
    (" and ", " or ", "and to or"),
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

/// A line of values, which stand on the card as numbers and not in words: `health: 3`, `weapon Axe { damage: 2 }`, `4 Tallyrat, 2 SootKite`.
fn is_stat(line: &str) -> bool {
    line.contains(": ") && !line.contains(" within ") && !line.contains(" where ") || line.starts_with(|c: char| c.is_ascii_digit())
}

/// The mutants of the rules of cards in a text. Lines of prose, of tests and of items that are no cards are left alone.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut in_card = false;
    let mut of_card = vec![false; lines.len()];
    let mut push = |class, n: usize, is: String| {
        let mut changed: Vec<&str> = lines.clone();
        changed[n] = &is;
        let text = changed.join("\n") + "\n";
        out.push(Mutant { class, line: n + 1, was: lines[n].trim().into(), is: is.trim().into(), text });
    };
    for (n, line) in lines.iter().enumerate() {
        if line.starts_with(|c: char| c.is_alphabetic()) {
            let first = line.split(' ').next().unwrap_or_default();
            in_card = ![
                "use", "ruleset", "enum", "kind", "define", "fact", "table", "action", "phase", "limit", "face", "test", "grant", "before",
                "after", "at", "instead", "cannot",
            ]
            .contains(&first);
        }
        of_card[n] = in_card;
        let bare = line.trim();
        let is_rule = line.contains('{') && !line.starts_with(|c: char| c.is_alphabetic()) || line.starts_with("    ");
        if !in_card || !is_rule || bare.starts_with("//") || line.contains('"') || bare.starts_with('}') || is_stat(bare) {
            continue;
        }
        for (was, is, class) in OTHER_WORDS {
            for (at, _) in line.match_indices(was) {
                push(class, n, format!("{}{is}{}", &line[..at], &line[at + was.len()..]));
            }
        }
        for (word, class) in CLAUSES {
            for (at, _) in line.match_indices(word) {
                let end = clause_end(line, at + word.len());
                // Who is left out is you.
                if &line[at..end.max(at)] == " by you" {
                    continue;
                }
                push(class, n, format!("{}{}", &line[..at], &line[end.max(at)..]));
            }
        }
        for (at, c) in line.char_indices() {
            let alone = !line[..at].ends_with(|b: char| b.is_alphanumeric() || b == '_' || b == '.');
            if c.is_ascii_digit() && alone {
                let end = line[at..].find(|b: char| !b.is_ascii_digit()).map_or(line.len(), |len| at + len);
                let number: u64 = line[at..end].parse().unwrap_or(0);
                push("change a number", n, format!("{}{}{}", &line[..at], number + 1, &line[end..]));
            }
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
