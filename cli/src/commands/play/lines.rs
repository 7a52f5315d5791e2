//! The lines of a log before they are printed: what only repeats another line, or undoes itself, is left out.

use banneret_runtime::ids::{FieldId, ObjId};
use banneret_runtime::value::Value;

use super::rows::in_rows;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub level: u32,
    pub words: String,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Phase,
    Event(Event),
    Changed {
        of: ObjId,
        field: FieldId,
        before: Value,
        after: Value,
    },
    /// Something was chosen, in these words.
    Chosen(String),
    Roll,
    Other,
}

/// An event, as far as its neighbours are compared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Everything it is about.
    pub values: Vec<Value>,
    /// It has words of its own, or something besides its name is to be told of it.
    pub tells: bool,
    /// The words before and after the name of what it is done to, and the name.
    pub thing: Option<[String; 3]>,
    /// Its line says how it went: what was rolled for it and what it changed need no lines of their own.
    pub is_told: bool,
}

/// The same in fewer lines.
pub fn tidied(lines: Vec<Line>) -> Vec<Line> {
    folded(without_go_betweens(without_choices(without_repeats(without_returns(without_reckoning(lines))))))
}

/// Leaves out rolls and changes of an event whose own line says how it went.
fn without_reckoning(lines: Vec<Line>) -> Vec<Line> {
    let mut gone = vec![false; lines.len()];
    for at in 0..lines.len() {
        if !matches!(&lines[at].what, What::Event(event) if event.is_told) {
            continue;
        }
        for inside in at + 1..end_of(&lines, at) {
            let own = lines[inside].level == lines[at].level + 1;
            gone[inside] |= own && matches!(lines[inside].what, What::Roll | What::Changed { .. });
        }
    }
    kept(lines, &gone)
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

/// A move inside of a move to the same place, and an event inside of one with the same words.
fn without_repeats(mut lines: Vec<Line>) -> Vec<Line> {
    let mut gone = vec![false; lines.len()];
    for at in 0..lines.len() {
        if gone[at] {
            continue;
        }
        let end = end_of(&lines, at);
        let around = match &lines[at].what {
            What::Event(event) => Some(event.values.as_slice()),
            What::Phase => Some(&[] as &[Value]),
            _ => None,
        };
        if let Some(values) = around {
            let same = |line: &Line| {
                line.level == lines[at].level + 1
                    && matches!(line.what, What::Event(_))
                    && (line.words == lines[at].words || repeats(&line.what, values))
            };
            if let Some(child) = (at + 1..end).find(|i| same(&lines[*i])) {
                gone[child] = true;
                lift(&mut lines, child);
            }
        }
    }
    kept(lines, &gone)
}

/// What came of this line came of the one around it.
fn lift(lines: &mut [Line], at: usize) {
    let end = end_of(lines, at);
    lines[at + 1..end].iter_mut().for_each(|line| line.level -= 1);
}

/// A choice that the event it was made for names anyway: nothing but other choices and what is paid stands between them.
fn without_choices(lines: Vec<Line>) -> Vec<Line> {
    let named = |at: usize| {
        let What::Chosen(words) = &lines[at].what else { return false };
        let level = lines[at].level;
        let between = |i: &usize| lines[*i].level == level && matches!(lines[*i].what, What::Chosen(_) | What::Changed { .. });
        let Some(next) = (at + 1..lines.len()).find(|i| !between(i)) else { return false };
        if lines[next].level != level || !matches!(lines[next].what, What::Event(_) | What::Phase) {
            return false;
        }
        // A place may be named by what comes of the event, a name has to stand in its own words.
        let told = if words.starts_with('(') { next..end_of(&lines, next) } else { next..next + 1 };
        lines[told].iter().any(|line| mentions(&line.words, words))
    };
    let gone: Vec<bool> = (0..lines.len()).map(named).collect();
    kept(lines, &gone)
}

/// Does a line name what was chosen? A menu may write it with a capital letter.
pub fn mentions(line: &str, choice: &str) -> bool {
    line.to_lowercase().contains(&choice.to_lowercase())
}

/// An event that is nothing but a name and does nothing but one other event, or one whose only other event says of the same things how it went.
fn without_go_betweens(mut lines: Vec<Line>) -> Vec<Line> {
    let mut gone = vec![false; lines.len()];
    for at in 0..lines.len() {
        let inside = at + 1..end_of(&lines, at);
        let silent = matches!(&lines[at].what, What::Event(event) if !event.tells);
        let mut children = inside.filter(|i| lines[*i].level == lines[at].level + 1);
        let only = children.next().filter(|_| children.next().is_none());
        let goes_on =
            only.is_some_and(|i| matches!((&lines[at].what, &lines[i].what), (What::Event(of), What::Event(by)) if is_told_by(of, by)));
        if goes_on || silent && only.is_some_and(|i| matches!(&lines[i].what, What::Event(event) if event.tells)) {
            gone[at] = true;
            lift(&mut lines, at);
        }
    }
    kept(lines, &gone)
}

/// Does another event say of the same things how it went?
fn is_told_by(event: &Event, by: &Event) -> bool {
    let mut things = event.values.iter().filter(|value| matches!(value, Value::Obj(_) | Value::Card(_))).peekable();
    !event.is_told && by.is_told && things.peek().is_some() && things.all(|thing| by.values.contains(thing))
}

/// Is it about nothing but the same, and about a place?
fn repeats(what: &What, of: &[Value]) -> bool {
    let What::Event(event) = what else { return false };
    let somewhere = event.values.iter().any(|value| matches!(value, Value::Place(_) | Value::InPlay));
    let mut told = event.values.iter().filter(|value| !matches!(value, Value::None | Value::Bool(false) | Value::InPlay));
    somewhere && told.all(|value| of.contains(value))
}

fn kept(lines: Vec<Line>, gone: &[bool]) -> Vec<Line> {
    lines.into_iter().zip(gone).filter(|(_, gone)| !**gone).map(|(line, _)| line).collect()
}

/// The same done to several things in a row, in one line; other equal lines in one, with how often.
fn folded(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<(Line, usize)> = Vec::new();
    for line in in_rows(lines) {
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

    fn event(values: Vec<Value>) -> What {
        What::Event(Event { values, tells: true, ..Event::default() })
    }

    fn told(lines: Vec<Line>) -> Vec<String> {
        tidied(lines).into_iter().map(|line| format!("{}{}", " ".repeat(line.level as usize), line.words)).collect()
    }

    #[test]
    fn equal_lines_are_counted() {
        let create = |words: &str| line(1, words, event(vec![]));
        assert_eq!(told(vec![create("a"), create("a"), create("a"), create("b"), create("a")]), [" a (3 times)", " b", " a"]);
    }

    #[test]
    fn what_is_as_before_is_left_out() {
        let lines = vec![
            line(0, "turn", What::Phase),
            line(1, "act", event(vec![])),
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
            line(0, "Player 1 (spot): (1, 2)", What::Chosen("(1, 2)".into())),
            line(0, "Fox: run → (1, 2)", event(vec![who.clone(), place.clone()])),
            line(1, "Fox: tire", event(vec![who.clone()])),
            line(1, "move Fox → (1, 2)", event(vec![place.clone(), who.clone(), Value::None])),
            changed(2, 7, 0, 1),
            line(0, "push Bear → (1, 2)", event(vec![Value::Obj(ObjId(4)), place])),
        ];
        assert_eq!(told(lines), ["Fox: run → (1, 2)", " Fox: tire", " 7: 0 → 1", "push Bear → (1, 2)"]);
    }
    #[test]
    fn a_choice_is_told_once() {
        let chosen = |words: &str| line(0, &format!("Player 1: {words}"), What::Chosen(words.into()));
        let lines =
            vec![chosen("Attack"), chosen("Bear"), chosen("Tooth"), changed(0, 1, 2, 1), line(0, "Fox: attack Bear", event(vec![]))];
        assert_eq!(told(lines), ["Player 1: Tooth", "1: 2 → 1", "Fox: attack Bear"]);
        // Not if it was made for something else.
        let lines = vec![chosen("Bear"), line(0, "rolls", What::Other), line(0, "Fox: attack Bear", event(vec![]))];
        assert_eq!(told(lines).len(), 3);
    }

    #[test]
    fn what_is_told_of_the_same_things_stands_alone() {
        let of = |is_told, who: &[u32]| {
            let values = who.iter().map(|id| Value::Obj(ObjId(*id))).collect();
            What::Event(Event { values, tells: true, is_told, thing: None })
        };
        let rolled = line(2, "rolls", What::Roll);
        let bite =
            |who: &[u32]| vec![line(0, "Fox: bite", of(false, who)), line(1, "Fox bites Bear: a hit", of(true, &[1, 2])), rolled.clone()];
        assert_eq!(told(bite(&[2])), ["Fox bites Bear: a hit"]);
        // It is about somebody else as well.
        assert_eq!(told(bite(&[3])), ["Fox: bite", " Fox bites Bear: a hit"]);
    }

    #[test]
    fn what_says_the_same_as_the_line_around_it_is_left_out() {
        let bite = |level| line(level, "Fox: bite Bear", event(vec![]));
        assert_eq!(told(vec![bite(0), bite(1), changed(2, 7, 0, 1)]), ["Fox: bite Bear", " 7: 0 → 1"]);
        let silent = line(0, "bite all", What::Event(Event::default()));
        assert_eq!(told(vec![silent.clone(), bite(1), changed(2, 7, 0, 1)]), ["Fox: bite Bear", " 7: 0 → 1"]);
        assert_eq!(told(vec![silent, bite(1), changed(1, 7, 0, 1)])[0], "bite all");
    }
}
