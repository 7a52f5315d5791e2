//! What was tried, and how it went. One node for a question after a row of answers, whatever the dice showed in between.

use banneret_runtime::ids::{ObjId, SiteId};
use banneret_runtime::question::{Answer, Question};
use rustc_hash::FxHashMap;

use crate::options::Said;

/// The tree grows no further.
const MOST_NODES: usize = 200_000;
/// How much an answer that was seldom tried is preferred, in the usual spread of results.
const CURIOSITY: f64 = 1.0;

#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    who: ObjId,
    visits: u32,
    children: Vec<Child>,
    known: FxHashMap<Said, usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub visits: u32,
    pub sum: f64,
    /// How often it could be chosen.
    offered: u32,
    /// The questions behind it: after other dice somebody else may be asked, or something else.
    next: Vec<(ObjId, Option<SiteId>, usize)>,
}

impl Child {
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// Of the children of a node, by their numbers.
pub(crate) struct Step {
    pub node: usize,
    pub child: usize,
    /// Which candidate.
    pub candidate: usize,
    pub new: bool,
}

/// How many candidates are looked at after so many visits: a few, and more the longer the search (progressive widening).
fn width(visits: u32) -> usize {
    4 + (2.0 * f64::from(visits).sqrt()) as usize
}

impl Tree {
    pub fn root(&mut self, who: ObjId) -> usize {
        self.add(who)
    }

    fn add(&mut self, who: ObjId) -> usize {
        self.nodes.push(Node { who, visits: 0, children: Vec::new(), known: FxHashMap::default() });
        self.nodes.len() - 1
    }

    pub fn child_of(&self, node: usize, said: &Said) -> Option<&Child> {
        let node = self.nodes.get(node)?;
        node.children.get(*node.known.get(said)?)
    }

    /// The node of the question that came of an answer. None: the tree is full.
    pub fn follow(&mut self, node: usize, child: usize, question: &Question) -> Option<usize> {
        let next = &self.nodes.get(node)?.children.get(child)?.next;
        let same = next.iter().find(|(who, site, _)| *who == question.who && *site == question.site);
        if let Some((.., next)) = same {
            return Some(*next);
        }
        if self.nodes.len() >= MOST_NODES {
            return None;
        }
        let added = self.add(question.who);
        self.nodes.get_mut(node)?.children.get_mut(child)?.next.push((question.who, question.site, added));
        Some(added)
    }

    /// The candidate to try: one that was never tried, or else the best, seldom tried ones a little preferred. How many of them are looked at
    /// grows with the visits. `spread`: how far results usually are apart.
    pub fn select(&mut self, at: usize, candidates: &[Answer], said: impl Fn(&Answer) -> Said, spread: f64) -> Option<Step> {
        let node = self.nodes.get_mut(at)?;
        node.visits += 1;
        let most = width(node.visits);
        let mut best: Option<(f64, usize, usize)> = None;
        for (candidate, answer) in candidates.iter().enumerate().take(most) {
            let said = said(answer);
            let child = match node.known.get(&said) {
                Some(child) => *child,
                None => {
                    node.children.push(Child { visits: 0, sum: 0.0, offered: 0, next: Vec::new() });
                    node.known.insert(said, node.children.len() - 1);
                    node.children.len() - 1
                }
            };
            let Some(found) = node.children.get_mut(child) else { continue };
            found.offered += 1;
            if found.visits == 0 {
                found.visits = 1;
                return Some(Step { node: at, child, candidate, new: true });
            }
            // Only square roots: they are the same on every machine, logarithms are not.
            let curious = CURIOSITY * spread * (f64::from(found.offered).sqrt().sqrt() / f64::from(found.visits).sqrt());
            let worth = found.mean() + curious;
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, child, candidate));
            }
        }
        let (_, child, candidate) = best?;
        if let Some(found) = node.children.get_mut(child) {
            found.visits += 1;
        }
        Some(Step { node: at, child, candidate, new: false })
    }

    /// How it went for whoever chose.
    pub fn learn(&mut self, step: &Step, result: impl Fn(ObjId) -> f64) {
        if let Some(node) = self.nodes.get_mut(step.node)
            && let Some(child) = node.children.get_mut(step.child)
        {
            child.sum += result(node.who);
        }
    }

    /// It was refused: never again.
    pub fn refuse(&mut self, step: &Step) {
        if let Some(child) = self.nodes.get_mut(step.node).and_then(|n| n.children.get_mut(step.child)) {
            child.sum = f64::NEG_INFINITY;
        }
    }
}
