//! Tries each answer on a copy, plays on for a few questions, and takes the one that looks best for whoever is asked.

use crate::random::{answer_somehow, one_option, random_answer};
use crate::standing::{boldest, worth};
use crate::unseen::conceal;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Known, Machine, Step};
use banneret_runtime::question::{Answer, Ask, Question};

/// How far and how often the greedy player looks ahead.
#[derive(Clone, Copy, Debug)]
pub struct Foresight {
    /// Questions that are answered on the way.
    pub questions: u32,
    pub tries: u32,
    /// No more options than this are looked at.
    pub options: usize,
    /// When so many answers were given in all, dice among them, what is known is enough.
    pub answers: u32,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { questions: 8, tries: 3, options: 16, answers: 400 }
    }
}

struct Candidate {
    answer: Answer,
    worth: i64,
    tries: i64,
}

impl Candidate {
    fn mean(&self) -> i64 {
        self.worth / self.tries.max(1)
    }
}

pub fn greedy_answer(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question, foresight: Foresight) -> Answer {
    let mut candidates: Vec<Candidate> = candidates(machine, pack, generator, question, foresight.options)
        .into_iter()
        .map(|answer| Candidate { answer, worth: 0, tries: 0 })
        .collect();
    let mut left = foresight.answers;
    let mut known = Known::default();
    for round in 0..foresight.tries.max(1) {
        if candidates.len() < 2 || (round > 0 && left == 0) {
            break;
        }
        // Every candidate meets the same luck.
        let luck = Generator::new(generator.next_u64());
        candidates.retain_mut(|candidate| {
            let trying = Trying { question, answer: &candidate.answer, questions: foresight.questions, most: left };
            let Some((worth, given)) = attempt(machine, pack, luck.clone(), trying, &mut known) else {
                return false;
            };
            left = left.saturating_sub(given);
            candidate.worth = candidate.worth.saturating_add(worth);
            candidate.tries += 1;
            true
        });
        // The better half is looked at again. Equal ones stay in the order of the question: giving up mostly comes last.
        candidates.sort_by_key(|c| std::cmp::Reverse(c.mean()));
        candidates.truncate(candidates.len().div_ceil(2).max(2));
    }
    match candidates.into_iter().next() {
        Some(best) => best.answer,
        None => random_answer(machine, pack, generator, question, 0),
    }
}

struct Trying<'a> {
    question: &'a Question,
    answer: &'a Answer,
    questions: u32,
    /// Answers, dice among them.
    most: u32,
}

/// What came of an answer, and how many more were given. None: it is refused.
fn attempt(machine: &Machine, pack: &Loaded, luck: Generator, trying: Trying<'_>, known: &mut Known) -> Option<(i64, u32)> {
    let Trying { question, answer, questions, most } = trying;
    let mut generator = luck;
    let mut copy = machine.clone();
    copy.drop_trace();
    copy.drop_notes();
    conceal(&mut copy, pack, question, &mut generator);
    copy.answer(pack, answer.clone()).ok()?;
    copy.learn(known);
    let (mut left, mut others, mut given) = (questions, 2, 0);
    while let Step::Asked(next) = copy.run(pack) {
        let by_other = !next.by_chance() && next.who != question.who;
        if left == 0 || (by_other && others == 0) || given >= most.max(1) {
            break;
        }
        given += 1;
        left -= u32::from(!next.by_chance());
        others -= u32::from(by_other);
        let bold = match &next.ask {
            Ask::Choice { options, min: 1, max: 1, .. } => boldest(&copy.world, options, next.who).map(|i| one_option(&next, i)),
            _ => None,
        };
        if !answer_somehow(&mut copy, pack, &mut generator, &next, bold) {
            break;
        }
    }
    copy.hand_on(known);
    // The same result is better the fewer answers it hangs on: what is won now cannot be lost any more.
    let hangs_on = i64::from(questions - left);
    Some((worth(pack, machine, &copy, question.who).saturating_sub(hangs_on), given))
}

fn candidates(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question, most: usize) -> Vec<Answer> {
    let one_of = |n: usize| spread(n, most).map(|i| one_option(question, i));
    match &question.ask {
        Ask::Choice { options, min: 1, max: 1, .. } => {
            // Of many places the boldest one is always among those that are looked at.
            let bold = boldest(&machine.world, options, question.who).map(|i| one_option(question, i));
            let mut all: Vec<Answer> = bold.into_iter().chain(one_of(options.len())).collect();
            all.dedup();
            all
        }
        Ask::Menu { labels } => one_of(labels.len()).collect(),
        Ask::YesNo => vec![Answer::Yes(true), Answer::Yes(false)],
        Ask::Choice { .. } => {
            let mut some: Vec<Answer> = Vec::new();
            for i in 0..8 {
                let answer = random_answer(machine, pack, generator, question, i);
                if !some.contains(&answer) {
                    some.push(answer);
                }
            }
            some
        }
        _ => vec![random_answer(machine, pack, generator, question, 0)],
    }
}

/// At most `most` numbers below `n`, evenly spaced.
fn spread(n: usize, most: usize) -> impl Iterator<Item = u32> {
    let count = n.min(most.max(1));
    (0..count).map(move |i| (i * n / count.max(1)) as u32)
}
