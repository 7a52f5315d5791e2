//! Any answer that is legal.

use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

/// Any legal answer, each equally likely as far as that is cheap to do. `attempt` grows when the machine refuses one.
pub fn random_answer(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question, attempt: u32) -> Answer {
    if let Some(answer) = generator.answer(question) {
        return answer;
    }
    match &question.ask {
        Ask::Choice { options, min: 1, max: 1, checked: true } => one_option(question, generator.below(options.len() as u64) as u32),
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

/// One of the options of a question. Where not all of them may be chosen, it is named by what it is: numbers count those that may.
pub fn one_option(question: &Question, i: u32) -> Answer {
    match &question.ask {
        Ask::Choice { options, min: 1, max: 1, checked: true } => match options.get(i as usize) {
            Some(option) => Answer::Value(option.clone()),
            None => Answer::Picks(vec![i]),
        },
        _ => Answer::Picks(vec![i]),
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
pub fn answer_somehow(machine: &mut Machine, pack: &Loaded, generator: &mut Generator, question: &Question, first: Option<Answer>) -> bool {
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
