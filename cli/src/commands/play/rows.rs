//! The same done to one thing after another: one line that lists them.

use super::lines::{Event, Line, What};

/// More names than this are counted instead.
const MOST_NAMES: usize = 16;

/// Lines that differ in nothing but the name of what something is done to, and of which nothing more comes, as one.
pub fn in_rows(lines: Vec<Line>) -> Vec<Line> {
    let mut out = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        let row = row_at(rest);
        let names: Vec<&str> = rest.iter().take(row).filter_map(thing_of).map(|[_, name, _]| name.as_str()).collect();
        out.push(match thing_of(first) {
            Some([before, _, after]) if row > 1 => Line { words: format!("{before}{}{after}", listed(&names)), ..first.clone() },
            _ => first.clone(),
        });
        rest = rest.get(row..).unwrap_or_default();
    }
    out
}

/// How many lines the first one can be told with, itself included.
fn row_at(lines: &[Line]) -> usize {
    let alike = |at: &usize| {
        let (Some(first), Some(line)) = (lines.first(), lines.get(*at)) else { return false };
        let leaf = lines.get(at + 1).is_none_or(|next| next.level <= line.level);
        let (Some([b, _, a]), Some([before, _, after])) = (thing_of(first), thing_of(line)) else { return false };
        // "Wolf, Bear loses" is no sentence
        leaf && first.level == line.level && b == before && a == after && !b.is_empty()
    };
    (0..lines.len()).take_while(alike).count().max(1)
}

fn thing_of(line: &Line) -> Option<&[String; 3]> {
    match &line.what {
        What::Event(Event { thing, .. }) => thing.as_ref(),
        _ => None,
    }
}

/// `4 Wolf, Bear, 2 Fox`
fn listed(names: &[&str]) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for &name in names {
        match counted.last_mut() {
            Some((last, times)) if *last == name => *times += 1,
            _ => counted.push((name, 1)),
        }
    }
    let more = counted.len().saturating_sub(MOST_NAMES);
    let mut texts: Vec<String> = counted
        .iter()
        .take(MOST_NAMES)
        .map(|(name, times)| match times {
            1 => (*name).to_owned(),
            n => format!("{n} {name}"),
        })
        .collect();
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done_to(level: u32, name: &str) -> Line {
        let thing = Some(["move ".to_owned(), name.to_owned(), " → hand".to_owned()]);
        let what = What::Event(Event { thing, tells: true, ..Event::default() });
        Line { level, words: format!("move {name} → hand"), what }
    }

    fn told(lines: Vec<Line>) -> Vec<String> {
        in_rows(lines).into_iter().map(|line| line.words).collect()
    }

    #[test]
    fn a_row_is_one_line() {
        let lines = ["Wolf", "Wolf", "Bear", "Wolf"].map(|name| done_to(1, name));
        assert_eq!(told(lines.to_vec()), ["move 2 Wolf, Bear, Wolf → hand"]);
        assert_eq!(told(vec![done_to(1, "Wolf")]), ["move Wolf → hand"]);
        let many = told((0..40).map(|n| done_to(1, &format!("Wolf {n}"))).collect());
        assert!(many.len() == 1 && many[0].ends_with("Wolf 15, 24 more → hand"), "{many:?}");
    }

    #[test]
    fn what_something_comes_of_stands_alone() {
        let lines = vec![done_to(1, "Wolf"), done_to(1, "Bear"), done_to(2, "Fox"), done_to(1, "Hare"), done_to(0, "Crow")];
        let alone = ["move Wolf → hand", "move Bear → hand", "move Fox → hand", "move Hare → hand", "move Crow → hand"];
        assert_eq!(told(lines), alone);
    }
}
