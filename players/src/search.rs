//! Monte Carlo tree search over the machine's questions.
//!
//! Each playout copies the machine, walks down the tree of answers that did well so far, then plays a little further and looks at how well everybody
//! stands. Dice and draws are sampled anew in each playout: the tree is one of answers, not of states (open loop), so that a move is judged over
//! all its luck. Whole moves come of the questions they consist of, which follow each other in the tree; a playout goes on until the move is over and
//! the answer to it as well.

use std::time::Instant;

use crate::{WON, answer_somehow, boldest, one_option, random_answer, worth};
use banneret_runtime::hosts::seeded::{Generator, run_seeded};
use banneret_runtime::ids::{ObjId, SiteId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Known, Machine, Step as Ran};
use banneret_runtime::question::{Answer, Ask, Question};

use crate::agent::Budget;
use crate::habits::Habits;
use crate::options::{Said, are_places, candidates, said};
use crate::tree::{Step, Tree};
use crate::unseen::conceal;

#[derive(Clone, Copy, Debug)]
pub struct Search {
    pub budget: Budget,
    /// Decisions a playout makes at least, those in the tree among them.
    pub least: u32,
    /// And at most.
    pub most: u32,
    /// How often somebody else decides than before, until a playout is cut: twice is after the own move and the answer to it.
    pub hands: u32,
}

impl Search {
    pub fn with(budget: Budget) -> Search {
        Search { budget, least: 6, most: 24, hands: 2 }
    }
}

/// A playout of more questions than this is cut: those with one answer are none of its decisions.
const MOST_QUESTIONS: u32 = 200;
/// One in so many places of a playout is any place; the others are the boldest.
const TIMID: u64 = 4;
/// So many answers are drawn where one is taken out of habit: the more, the less is left to chance.
const DRAWN: u32 = 3;
/// Candidates of the first question that are tried once before the search begins, so that the best looking ones are searched first.
const GLANCES: usize = 40;

/// The answer that did best.
pub fn answer(machine: &Machine, pack: &Loaded, generator: &mut Generator, question: &Question, search: Search) -> Answer {
    let first = candidates(machine, pack, generator, question);
    let [_, _, ..] = first.as_slice() else {
        return first.into_iter().next().unwrap_or_else(|| random_answer(machine, pack, generator, question, 0));
    };
    let mut from = machine.clone();
    from.drop_trace();
    from.drop_notes();
    from.set_lazy_options(true);
    let mut seeker = Seeker {
        from,
        pack,
        question,
        first: Vec::new(),
        search,
        tree: Tree::default(),
        habits: Habits::default(),
        known: Known::default(),
        scale: Scale::default(),
    };
    let root = seeker.tree.root(question.who);
    let begun = Instant::now();
    seeker.first = seeker.glanced(first, generator.next_u64());
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
    first: Vec<Answer>,
    search: Search,
    tree: Tree,
    habits: Habits,
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

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    /// The standard deviation of all results so far.
    fn spread(&self) -> f64 {
        let mean = self.mean();
        (self.squares / self.count.max(1.0) - mean * mean).max(1.0).sqrt()
    }
}

/// What was said on the way of a playout, in the tree and below.
type Talk = Vec<(ObjId, Option<SiteId>, Said)>;

/// A playout under way.
struct Way {
    copy: Machine,
    luck: Generator,
    question: Question,
    /// Where in the tree it is; None: below.
    at: Option<usize>,
    path: Vec<Step>,
    talk: Talk,
}

impl Seeker<'_> {
    /// The candidates of the first question with those in front that look best right after they are given. Those that are refused are left out.
    fn glanced(&mut self, all: Vec<Answer>, luck: u64) -> Vec<Answer> {
        let (looked, rest) = all.split_at(all.len().min(GLANCES));
        let mut seen: Vec<(i64, Answer)> = Vec::new();
        for answer in looked {
            let mut copy = self.from.clone();
            copy.learn(&mut self.known);
            let mut luck = Generator::new(luck);
            conceal(&mut copy, self.pack, self.question, &mut luck);
            if copy.answer(self.pack, answer.clone()).is_ok() {
                run_seeded(&mut copy, self.pack, &mut luck);
                seen.push((worth(self.pack, &self.from, &copy, self.question.who), answer.clone()));
            }
            copy.hand_on(&mut self.known);
        }
        seen.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
        seen.into_iter().map(|(_, answer)| answer).chain(rest.iter().cloned()).collect()
    }

    fn playout(&mut self, root: usize, luck: Generator) {
        let mut luck = luck;
        let mut copy = self.from.clone();
        copy.learn(&mut self.known);
        conceal(&mut copy, self.pack, self.question, &mut luck);
        let mut way = Way { copy, luck, question: self.question.clone(), at: Some(root), path: Vec::new(), talk: Vec::new() };
        let (mut decisions, mut hands) = (0u32, 0u32);
        for _ in 0..MOST_QUESTIONS {
            let is_decision = has_choice(&way.question);
            if !self.step(&mut way, is_decision) {
                break;
            }
            decisions += u32::from(is_decision);
            let before = way.question.who;
            let Ran::Asked(next) = run_seeded(&mut way.copy, self.pack, &mut way.luck) else { break };
            way.question = next;
            if has_choice(&way.question) && way.question.who != before {
                hands += 1;
            }
            if decisions >= self.search.most || (hands >= self.search.hands && decisions >= self.search.least) {
                break;
            }
            if let (Some(_), true, Some(step)) = (way.at, is_decision, way.path.last()) {
                way.at = if step.new { None } else { self.tree.follow(step.node, step.child, &way.question) };
            }
        }
        self.learn(way);
    }

    /// Answers the question. False: nothing was allowed.
    fn step(&mut self, way: &mut Way, is_decision: bool) -> bool {
        match way.at {
            Some(node) if is_decision => self.tree_answer(node, way),
            _ if is_decision => self.habit_answer(way),
            _ => answer_somehow(&mut way.copy, self.pack, &mut way.luck, &way.question, None),
        }
    }

    /// Answers as the tree says.
    fn tree_answer(&mut self, node: usize, way: &mut Way) -> bool {
        let own;
        let candidates = match way.path.is_empty() {
            true => self.first.as_slice(),
            false => {
                own = self.sorted(candidates(&way.copy, self.pack, &mut way.luck, &way.question), &way.question);
                own.as_slice()
            }
        };
        // A set that does not go together is refused, and the next is tried.
        for _ in 0..candidates.len() {
            let spread = self.scale.spread();
            let Some(step) = self.tree.select(node, candidates, |a| said(&way.question, a), spread) else { break };
            let answer = candidates.get(step.candidate);
            if let Some(answer) = answer.filter(|answer| way.copy.answer(self.pack, (*answer).clone()).is_ok()) {
                way.talk.push((way.question.who, way.question.site, said(&way.question, answer)));
                way.path.push(step);
                return true;
            }
            self.tree.refuse(&step);
        }
        way.at = None;
        answer_somehow(&mut way.copy, self.pack, &mut way.luck, &way.question, None)
    }

    /// Those that did well wherever they were given first; the others stay in their order between them.
    fn sorted(&self, candidates: Vec<Answer>, question: &Question) -> Vec<Answer> {
        if candidates.len() < 5 {
            return candidates;
        }
        let unknown = self.scale.mean();
        let worth = |answer: &Answer| self.habits.mean(question.who, question.site, &said(question, answer)).unwrap_or(unknown);
        let mut valued: Vec<(f64, Answer)> = candidates.into_iter().map(|answer| (worth(&answer), answer)).collect();
        valued.sort_by(|a, b| b.0.total_cmp(&a.0));
        valued.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Below the tree: of a few answers the one that did best in other playouts; of places mostly one that is near to enemies.
    fn habit_answer(&mut self, way: &mut Way) -> bool {
        let question = &way.question;
        if are_places(question) {
            let bold = match way.luck.below(TIMID) {
                0 => None,
                _ => boldest_of(question, &way.copy),
            };
            return answer_somehow(&mut way.copy, self.pack, &mut way.luck, question, bold);
        }
        let all = candidates(&way.copy, self.pack, &mut way.luck, question);
        let mut best: Option<(f64, Said, &Answer)> = None;
        for _ in 0..DRAWN {
            let Some(answer) = all.get(way.luck.below(all.len() as u64) as usize) else { break };
            let said = said(question, answer);
            let worth = self.habits.mean(question.who, question.site, &said).unwrap_or(self.scale.mean());
            if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                best = Some((worth, said, answer));
            }
        }
        if let Some((_, said, answer)) = best
            && way.copy.answer(self.pack, answer.clone()).is_ok()
        {
            way.talk.push((question.who, question.site, said));
            return true;
        }
        answer_somehow(&mut way.copy, self.pack, &mut way.luck, question, None)
    }

    /// How it went, for the tree and for habits.
    fn learn(&mut self, mut way: Way) {
        let mut results: Vec<(ObjId, f64)> = Vec::new();
        for player in way.copy.world.players.iter() {
            let worth = worth(self.pack, &self.from, &way.copy, *player);
            results.push((*player, self.scale.result(worth)));
        }
        way.copy.hand_on(&mut self.known);
        let of = |who: ObjId| results.iter().find(|(p, _)| *p == who).map_or(0.0, |(_, result)| *result);
        for step in &way.path {
            self.tree.learn(step, of);
        }
        for (who, site, said) in way.talk {
            self.habits.learn(who, site, said, of(who));
        }
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

/// Whether there is more than one answer, as far as that can be seen.
fn has_choice(question: &Question) -> bool {
    match &question.ask {
        Ask::Choice { options, min, max, .. } => options.len() > 1 && *max > 0 && !(*min == *max && *max as usize == options.len()),
        Ask::Menu { labels } => labels.len() > 1,
        Ask::YesNo => true,
        Ask::Fact { .. } | Ask::Order { .. } | Ask::Roll { .. } | Ask::Draw { .. } => false,
    }
}

fn boldest_of(question: &Question, copy: &Machine) -> Option<Answer> {
    match &question.ask {
        Ask::Choice { options, min: 1, max: 1, .. } => boldest(&copy.world, options, question.who).map(|i| one_option(question, i)),
        _ => None,
    }
}
