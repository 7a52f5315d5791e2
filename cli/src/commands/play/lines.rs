//! The lines of a log before they are printed: what only repeats another line, or undoes itself, is left out.

use banneret_runtime::ids::{FieldId, ObjId};
use banneret_runtime::value::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub level: u32,
    pub words: String,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Phase,
    /// With everything it is about.
    Event(Vec<Value>),
    Changed {
        of: ObjId,
        field: FieldId,
        before: Value,
        after: Value,
    },
    /// A place was chosen, in these words.
    Place(String),
    Other,
}

/// The same in fewer lines.
pub fn tidied(lines: Vec<Line>) -> Vec<Line> {
    folded(without_repeated_places(without_returns(lines)))
}

/// Where the lines inside of one end.
fn end_of(lines: &[Line], start: usize) -> usize {
    let level = lines.get(start).map_or(0, |line| line.level);
    let inside = lines.iter().skip(start + 1).take_while(|line| line.level > level).count();
    start + 1 + inside
}

/// Leaves out what changes and is as before when its event is over.
fn without_returns(lines: Vec<Line>) -> Vec<Line> {
    let mut gone = vec![false; lines.len()];
    let mut start = 0;
    while start < lines.len() {
        // A phase is no event of its own: what it writes down lasts.
        let end = if matches!(lines[start].what, What::Event(_)) { end_of(&lines, start) } else { start + 1 };
        let changes: Vec<usize> = (start..end).filter(|i| matches!(lines[*i].what, What::Changed { .. })).collect();
        for first in &changes {
            let What::Changed { of, field, before, .. } = &lines[*first].what else { continue };
            let same = |i: &&usize| matches!(&lines[**i].what, What::Changed { of: o, field: f, .. } if o == of && f == field);
            let all: Vec<usize> = changes.iter().filter(same).copied().collect();
            let returns = all.last().is_some_and(|last| matches!(&lines[*last].what, What::Changed { after, .. } if after == before));
            if all.first() == Some(first) && returns {
                all.iter().for_each(|i| gone[*i] = true);
            }
        }
        start = end;
    }
    kept(lines, &gone)
}

/// A move inside of a move to the same place, and the choice of a place that the next line names.
fn without_repeated_places(mut lines: Vec<Line>) -> Vec<Line> {
    let mut gone = vec![false; lines.len()];
    for at in 0..lines.len() {
        if gone[at] {
            continue;
        }
        let end = end_of(&lines, at);
        match &lines[at].what {
            What::Event(values) => {
                let level = lines[at].level;
                let repeated = (at + 1..end).find(|i| lines[*i].level == level + 1 && repeats(&lines[*i].what, values));
                if let Some(child) = repeated {
                    gone[child] = true;
                    // What came of it came of this.
                    let inside = end_of(&lines, child);
                    lines[child + 1..inside].iter_mut().for_each(|line| line.level -= 1);
                }
            }
            What::Place(words) => {
                let next = at + 1..end_of(&lines, at + 1).min(lines.len());
                let is_event = lines.get(at + 1).is_some_and(|next| matches!(next.what, What::Event(_)));
                gone[at] = is_event && lines[next].iter().any(|line| line.words.contains(words.as_str()));
            }
            _ => {}
        }
    }
    kept(lines, &gone)
}

/// Is it about nothing but the same, and about a place?
fn repeats(what: &What, of: &[Value]) -> bool {
    let What::Event(values) = what else { return false };
    let told = || values.iter().filter(|value| !matches!(value, Value::None | Value::Bool(false)));
    told().any(|value| matches!(value, Value::Place(_))) && told().all(|value| of.contains(value))
}

fn kept(lines: Vec<Line>, gone: &[bool]) -> Vec<Line> {
    lines.into_iter().zip(gone).filter(|(_, gone)| !**gone).map(|(line, _)| line).collect()
}

/// Equal lines in one, with how often.
fn folded(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<(Line, usize)> = Vec::new();
    for line in lines {
        match out.last_mut() {
            Some((last, times)) if last.level == line.level && last.words == line.words => *times += 1,
            _ => out.push((line, 1)),
        }
    }
    let counted = |(line, times): (Line, usize)| match times {
        1 => line,
        2 => Line { words: format!("{} (twice)", line.words), ..line },
        n => Line { words: format!("{} ({n} times)", line.words), ..line },
    };
    out.into_iter().map(counted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banneret_runtime::value::Place;

    fn line(level: u32, words: &str, what: What) -> Line {
        Line { level, words: words.into(), what }
    }

    fn changed(level: u32, field: u32, before: i64, after: i64) -> Line {
        let what = What::Changed { of: ObjId(1), field: FieldId(field), before: Value::Int(before), after: Value::Int(after) };
        line(level, &format!("{field}: {before} → {after}"), what)
    }

    fn told(lines: Vec<Line>) -> Vec<String> {
        tidied(lines).into_iter().map(|line| format!("{}{}", " ".repeat(line.level as usize), line.words)).collect()
    }

    #[test]
    fn equal_lines_are_counted() {
        let create = |words: &str| line(1, words, What::Event(vec![]));
        assert_eq!(told(vec![create("a"), create("a"), create("a"), create("b"), create("a")]), [" a (3 times)", " b", " a"]);
    }

    #[test]
    fn what_is_as_before_is_left_out() {
        let lines = vec![
            line(0, "turn", What::Phase),
            line(1, "act", What::Event(vec![])),
            changed(2, 7, 0, 4),
            changed(2, 8, 0, 1),
            changed(3, 7, 4, 0),
            changed(1, 7, 0, 1),
            changed(1, 7, 1, 0),
        ];
        // What a phase writes down itself is not undone by the next line.
        assert_eq!(told(lines), ["turn", " act", "  8: 0 → 1", " 7: 0 → 1", " 7: 1 → 0"]);
    }

    #[test]
    fn a_place_is_told_once() {
        let place = Value::Place(Place { x: 1000, y: 2000 });
        let who = Value::Obj(ObjId(3));
        let lines = vec![
            line(0, "Player 1 (spot): (1, 2)", What::Place("(1, 2)".into())),
            line(0, "Fox: run → (1, 2)", What::Event(vec![who.clone(), place.clone()])),
            line(1, "Fox: tire", What::Event(vec![who.clone()])),
            line(1, "move Fox → (1, 2)", What::Event(vec![place.clone(), who.clone(), Value::None])),
            changed(2, 7, 0, 1),
            line(0, "push Bear → (1, 2)", What::Event(vec![Value::Obj(ObjId(4)), place])),
        ];
        assert_eq!(told(lines), ["Fox: run → (1, 2)", " Fox: tire", " 7: 0 → 1", "push Bear → (1, 2)"]);
    }
}
