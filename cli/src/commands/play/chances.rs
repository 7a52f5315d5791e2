//! What an answer may lead to until somebody decides again: played out many times on copies, with dice of their own.

use std::collections::BTreeMap;

use banneret_players::one_option;
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

use super::names::Names;

const TIMES: usize = 400;
/// What is seldom is not told, nor more than a few lines.
const SELDOM: usize = TIMES / 50;
const MOST_LINES: usize = 6;

/// For one of the options of a question: lines such as `44 %  Bear: wounds 0 → 3`. None: it is no question of that sort.
pub fn lines(names: &Names<'_>, machine: &Machine, question: &Question, option: usize) -> Option<Vec<String>> {
    let number = u32::try_from(option).ok()?;
    let answer = match &question.ask {
        Ask::Choice { min, max, .. } if *min <= 1 && *max >= 1 => match (min, max) {
            (1, 1) => one_option(question, number),
            _ => Answer::Picks(vec![number]),
        },
        Ask::Menu { .. } => Answer::Picks(vec![number]),
        Ask::YesNo => Answer::Yes(option == 0),
        _ => return None,
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut unchanged = 0;
    // Never the dice of the game itself: they are not to be known before.
    let mut luck = Generator::new(question.site.map_or(0, |site| u64::from(site.0)));
    for _ in 0..TIMES {
        let mut copy = machine.clone();
        copy.drop_notes();
        copy.answer(names.pack, answer.clone()).ok()?;
        let step = run_seeded(&mut copy, names.pack, &mut luck);
        let mut changes = changes(names, machine, &copy);
        if matches!(step, Step::Done(_)) {
            changes.push("the game is over".to_owned());
        }
        unchanged += usize::from(changes.is_empty());
        for change in changes {
            *counts.entry(change).or_default() += 1;
        }
    }
    let mut told: Vec<(usize, String)> = counts.into_iter().map(|(change, count)| (count, change)).collect();
    told.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    told.retain(|(count, _)| *count >= SELDOM);
    told.truncate(MOST_LINES);
    if unchanged >= SELDOM {
        told.push((unchanged, "nothing changes before the next decision".to_owned()));
    }
    Some(told.into_iter().map(|(count, change)| format!("about {:>3} %  {change}", count * 100 / TIMES)).collect())
}

/// What is otherwise than before: numbers that are kept, and who is no longer there or there now.
fn changes(names: &Names<'_>, before: &Machine, after: &Machine) -> Vec<String> {
    let mut out = Vec::new();
    for id in after.world.ids() {
        let Some(now) = after.world.get(id) else { continue };
        let name = || Names { pack: names.pack, world: &after.world }.object(id);
        let Some(was) = before.world.get(id) else {
            if now.in_play {
                out.push(format!("{} comes into play", name()));
            }
            continue;
        };
        match (was.in_play, now.in_play) {
            (true, false) => out.push(format!("{} leaves play", name())),
            (false, true) => out.push(format!("{} comes into play", name())),
            _ => {}
        }
        if was.place != now.place
            && let Some(place) = now.place
        {
            out.push(format!("{} is at {}", name(), names.value(&Value::Place(place))));
        }
        for (field, value) in &now.state {
            let old = was.state(*field);
            if let (Some(old @ Value::Int(_)), Value::Int(_)) = (old, value)
                && old != value
            {
                out.push(format!("{}: {} {} → {}", name(), names.field(*field), names.held(*field, old), names.held(*field, value)));
            }
        }
    }
    out
}
