//! Any answer that is legal.

use crate::hosts::seeded::Generator;
use crate::loaded::Loaded;
use crate::machine::{Machine, Step};
use crate::question::{Answer, Ask, Question};
use crate::value::Value;

/// Any legal answer, each equally likely as far as that is cheap to do. `attempt` grows when the machine refuses one.
pub fn random_answer(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question, attempt: u32) -> Answer {
    if let Some(answer) = generator.answer(question) {
        return answer;
    }
    match &question.ask {
        // Not every option may be chosen: by what it is, so that it means the same where only those are listed that may.
        Ask::Choice { options, min: 1, max: 1, checked: true } => {
            let i = generator.below(options.len() as u64) as usize;
            Answer::Value(options.get(i).cloned().unwrap_or_default())
        }
        Ask::Choice { options, min, max, .. } => {
            let spread = (max - min.min(max)) as u64 + 1;
            let count = (min + generator.below(spread) as u32).min(options.len() as u32);
            let mut left: Vec<u32> = (0..options.len() as u32).collect();
            let picks = (0..count).filter_map(|_| {
                let i = generator.below(left.len() as u64) as usize;
                (i < left.len()).then(|| left.swap_remove(i))
            });
            // After many refusals the first ones in a row: some conditions want exactly that.
            if attempt > 50 { Answer::Picks((0..count).collect()) } else { Answer::Picks(picks.collect()) }
        }
        Ask::Menu { labels } => Answer::Picks(vec![generator.below(labels.len() as u64) as u32]),
        Ask::YesNo => Answer::Yes(generator.below(2) == 1),
        Ask::Order { triggers } => Answer::Picks((0..triggers.len() as u32).collect()),
        Ask::Fact { fact, args } => match machine.default_fact(pack, *fact, args) {
            Ok(Some(value)) => Answer::Value(value),
            _ => Answer::Value(Value::Bool(generator.below(2) == 1)),
        },
        Ask::Roll { .. } | Ask::Draw { .. } => Answer::Picks(Vec::new()),
    }
}

/// Answers everything at random for at most `questions` questions. Gives the last step.
pub fn play_at_random(machine: &mut Machine, pack: &Loaded, generator: &mut Generator, questions: u32) -> Step {
    let mut left = questions;
    loop {
        let step = machine.run(pack);
        let Step::Asked(question) = &step else {
            return step;
        };
        if left == 0 {
            return step;
        }
        left -= 1;
        if !answer_somehow(machine, pack, generator, question, None) {
            return step;
        }
    }
}

/// Tries this answer first, then random ones. False: all were refused.
pub(super) fn answer_somehow(
    machine: &mut Machine,
    pack: &Loaded,
    generator: &mut Generator,
    question: &Question,
    first: Option<Answer>,
) -> bool {
    if let Some(first) = first
        && machine.answer(pack, first).is_ok()
    {
        return true;
    }
    (0..=200).any(|attempt| {
        let answer = random_answer(machine, pack, generator, question, attempt);
        machine.answer(pack, answer).is_ok()
    })
}
