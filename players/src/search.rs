//! Monte Carlo tree search over the machine's questions.
//!
//! Each playout copies the machine, walks down the tree of answers that did well so far, then plays a little further and looks at how well everybody
//! stands. Dice and draws are sampled anew in each playout: the tree is one of answers, not of states (open loop), so that a move is judged over
//! all its luck. Whole moves come of the questions they consist of, which follow each other in the tree.

use std::time::Instant;

use crate::{WON, answer_somehow, boldest, one_option, random_answer, worth};
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::ObjId;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Known, Machine, Step as Ran};
use banneret_runtime::question::{Answer, Ask, Question};

use crate::agent::Budget;
use crate::options::{are_places, candidates, said};
use crate::tree::{Step, Tree};

#[derive(Clone, Copy, Debug)]
pub struct Search {
    pub budget: Budget,
    /// Decisions a playout makes in all, those in the tree among them.
    pub decisions: u32,
    /// How many of them others make.
    pub others: u32,
}

impl Search {
    pub fn with(budget: Budget) -> Search {
        Search { budget, decisions: 9, others: 2 }
    }
}

/// A playout of more dice than this is cut.
const MOST_ROLLS: u32 = 500;
/// One in so many places of a playout is any place; the others are the boldest.
const TIMID: u64 = 5;

/// The answer that did best.
pub fn answer(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question, search: Search) -> Answer {
    let first = candidates(machine, pack, generator, question);
    let [_, _, ..] = first.as_slice() else {
        return first.into_iter().next().unwrap_or_else(|| random_answer(machine, pack, generator, question, 0));
    };
    let mut from = machine.clone();
    from.drop_trace();
    from.drop_notes();
    let mut seeker =
        Seeker { from, pack, question, first: &first, search, tree: Tree::default(), known: Known::default(), scale: Scale::default() };
    let root = seeker.tree.root(question.who);
    let begun = Instant::now();
    let mut done = 0u32;
    loop {
        let over = match search.budget {
            Budget::Playouts(most) => done >= most,
            Budget::Time(time) => begun.elapsed() >= time,
        };
        if over {
            break;
        }
        done += 1;
        seeker.playout(root, Generator::new(generator.next_u64()));
    }
    seeker.best(root).cloned().unwrap_or_else(|| random_answer(machine, pack, generator, question, 0))
}

struct Seeker<'a> {
    from: Machine,
    pack: &'a Loaded,
    question: &'a Question,
    first: &'a [Answer],
    search: Search,
    tree: Tree,
    known: Known,
    scale: Scale,
}

/// Results as they are, so that twice as much is worth twice as much and a risk is taken where it pays. Only a win is bounded: by what else can be
/// had, several times over.
#[derive(Debug, Default)]
struct Scale {
    most: f64,
    count: f64,
    sum: f64,
    squares: f64,
}

impl Scale {
    fn result(&mut self, worth: i64) -> f64 {
        let result = if worth.abs() >= WON {
            3.0 * self.most.max(1_000.0) * worth.signum() as f64
        } else {
            self.most = self.most.max(worth.abs() as f64);
            worth as f64
        };
        self.count += 1.0;
        self.sum += result;
        self.squares += result * result;
        result
    }

    /// The standard deviation of all results so far.
    fn spread(&self) -> f64 {
        let mean = self.sum / self.count.max(1.0);
        (self.squares / self.count.max(1.0) - mean * mean).max(1.0).sqrt()
    }
}

impl Seeker<'_> {
    fn playout(&mut self, root: usize, mut luck: Generator) {
        let mut copy = self.from.clone();
        copy.learn(&mut self.known);
        let mut path: Vec<Step> = Vec::new();
        let mut at = Some(root);
        let mut question = self.question.clone();
        let (mut left, mut others, mut rolls) = (self.search.decisions, self.search.others, 0u32);
        loop {
            let given = match at {
                Some(node) => self.tree_answer(node, &mut copy, &mut luck, &question, &mut path, &mut at),
                None => playout_answer(&mut copy, self.pack, &mut luck, &question),
            };
            if !given {
                break;
            }
            left -= 1;
            let Ran::Asked(next) = run_seeded(&mut copy, self.pack, &mut luck) else { break };
            rolls += 1;
            let by_other = next.who != self.question.who;
            if left == 0 || (by_other && others == 0) || rolls > MOST_ROLLS {
                break;
            }
            others -= u32::from(by_other);
            if at.is_some() {
                at = path.last().and_then(|step| if step.new { None } else { self.tree.follow(step.node, step.child, next.who) });
            }
            question = next;
        }
        let mut results: Vec<(ObjId, f64)> = Vec::new();
        for player in copy.world.players.iter() {
            let worth = worth(self.pack, &self.from, &copy, *player);
            results.push((*player, self.scale.result(worth)));
        }
        copy.hand_on(&mut self.known);
        for step in &path {
            self.tree.learn(step, |who| results.iter().find(|(p, _)| *p == who).map_or(0.0, |(_, result)| *result));
        }
    }

    /// Answers as the tree says. False: nothing was allowed.
    fn tree_answer(
        &mut self,
        node: usize,
        copy: &mut Machine,
        luck: &mut Generator,
        question: &Question,
        path: &mut Vec<Step>,
        at: &mut Option<usize>,
    ) -> bool {
        let own;
        let candidates = match path.is_empty() {
            true => self.first,
            false => {
                own = candidates(copy, self.pack, luck, question);
                own.as_slice()
            }
        };
        // A set that does not go together is refused, and the next is tried.
        for _ in 0..candidates.len() {
            let spread = self.scale.spread();
            let Some(step) = self.tree.select(node, candidates, |a| said(question, a), are_places(question), spread) else { break };
            let allowed = candidates.get(step.candidate).is_some_and(|answer| copy.answer(self.pack, answer.clone()).is_ok());
            if allowed {
                path.push(step);
                return true;
            }
            self.tree.refuse(&step);
        }
        *at = None;
        answer_somehow(copy, self.pack, luck, question, None)
    }

    /// The answer that was tried most often: that is the one that did well.
    fn best(&self, root: usize) -> Option<&Answer> {
        let tried = self.first.iter().filter_map(|answer| {
            let child = self.tree.child_of(root, &said(self.question, answer))?;
            (child.sum.is_finite() && child.visits > 0).then_some((child.visits, child.mean(), answer))
        });
        let better = |a: (u32, f64), b: (u32, f64)| a.0 > b.0 || (a.0 == b.0 && a.1 > b.1);
        tried
            .fold(None, |best: Option<(u32, f64, &Answer)>, (visits, mean, answer)| match best {
                Some(best) if !better((visits, mean), (best.0, best.1)) => Some(best),
                _ => Some((visits, mean, answer)),
            })
            .map(|(_, _, answer)| answer)
    }
}

/// What is done below the tree: anything, but to places that are near to enemies more often than to others.
fn playout_answer(copy: &mut Machine, pack: &Loaded, luck: &mut Generator, question: &Question) -> bool {
    let bold = match &question.ask {
        Ask::Choice { options, min: 1, max: 1, .. } if are_places(question) && luck.below(TIMID) != 0 => {
            boldest(&copy.world, options, question.who).map(|i| one_option(question, i))
        }
        _ => None,
    };
    answer_somehow(copy, pack, luck, question, bold)
}
