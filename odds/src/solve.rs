//! How likely each end is, given the graph of states. States that come back to themselves are solved by elimination, never cut off.

use rustc_hash::FxHashMap;

use crate::fraction::Fraction;
use crate::graph::{Edge, Graph};
use crate::weight::{Outgrown, Weight};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unsolved {
    Outgrown,
    /// A state from which no end can be reached.
    Endless,
    /// Nobody wants to know any more.
    Stopped,
}

impl From<Outgrown> for Unsolved {
    fn from(_: Outgrown) -> Unsolved {
        Unsolved::Outgrown
    }
}

/// What chances are reckoned in: short fractions, or, where these outgrow their bits, fractions of any size.
pub(crate) trait Amount: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    fn of(weight: Weight) -> Self;
    fn is_zero(&self) -> bool;
    fn plus(&self, other: &Self) -> Result<Self, Outgrown>;
    fn times(&self, other: &Self) -> Result<Self, Outgrown>;
    fn divided_by(&self, other: &Self) -> Result<Self, Outgrown>;
}

impl Amount for Weight {
    fn zero() -> Weight {
        Weight::ZERO
    }

    fn one() -> Weight {
        Weight::ONE
    }

    fn of(weight: Weight) -> Weight {
        weight
    }

    fn is_zero(&self) -> bool {
        Weight::is_zero(*self)
    }

    #[inline(always)]
    fn plus(&self, other: &Weight) -> Result<Weight, Outgrown> {
        Weight::plus(*self, *other)
    }

    #[inline(always)]
    fn times(&self, other: &Weight) -> Result<Weight, Outgrown> {
        Weight::times(*self, *other)
    }

    fn divided_by(&self, other: &Weight) -> Result<Weight, Outgrown> {
        Weight::divided_by(*self, *other)
    }
}

/// Fractions of more bits than this take all memory and time there is: such odds are refused.
const MOST_BITS: u64 = 1 << 16;

fn bounded(fraction: Fraction) -> Result<Fraction, Outgrown> {
    if fraction.bits() > MOST_BITS { Err(Outgrown) } else { Ok(fraction) }
}

impl Amount for Fraction {
    fn zero() -> Fraction {
        Fraction::zero()
    }

    fn one() -> Fraction {
        Fraction::one()
    }

    fn of(weight: Weight) -> Fraction {
        weight.exact()
    }

    fn is_zero(&self) -> bool {
        Fraction::is_zero(self)
    }

    fn plus(&self, other: &Fraction) -> Result<Fraction, Outgrown> {
        bounded(Fraction::plus(self, other))
    }

    fn times(&self, other: &Fraction) -> Result<Fraction, Outgrown> {
        bounded(Fraction::times(self, other))
    }

    fn divided_by(&self, other: &Fraction) -> Result<Fraction, Outgrown> {
        bounded(Fraction::divided_by(self, other))
    }
}

type Edges<A> = Vec<(u32, A)>;

/// In which order states are taken. The lists are used again for the next graph.
#[derive(Default)]
pub(crate) struct Order {
    /// As they are numbered: no state leads to an earlier one.
    numbered: bool,
    /// Every state after all that lead to it.
    straight: Vec<u32>,
    /// Some come back to themselves: members of components one after the other, each component before all that lead to it, and how many each has.
    circles: Option<(Vec<u32>, Vec<u32>)>,
    /// How many ways lead to each state from those that were not taken yet.
    leading: Vec<u32>,
}

impl Order {
    pub fn find(&mut self, graph: &Graph) {
        let Order { numbered, straight: order, circles, leading } = self;
        *numbered = graph.is_in_order();
        if *numbered {
            return;
        }
        leading.clear();
        leading.resize(graph.len(), 0);
        graph.count_leading(leading);
        order.clear();
        order.extend((0u32..).zip(&leading[..]).filter(|(_, n)| **n == 0).map(|(node, _)| node));
        let mut next = 0;
        while let Some(node) = order.get(next) {
            next += 1;
            for (to, _) in graph.of(*node) {
                leading[*to as usize] -= 1;
                if leading[*to as usize] == 0 {
                    order.push(*to);
                }
            }
        }
        *circles = (order.len() < graph.len()).then(|| components(graph));
    }
}

/// The chance to arrive at each node from node 0; for nodes on a circle, how often it is left for good is what counts, so that only ends
/// and entries are meaningful.
pub(crate) fn arrivals<A: Amount>(graph: &Graph, order: &Order, arrived: &mut Vec<A>, go_on: &dyn Fn() -> bool) -> Result<(), Unsolved> {
    arrived.clear();
    arrived.resize(graph.len(), A::zero());
    if let Some(first) = arrived.first_mut() {
        *first = A::one();
    }
    if order.numbered {
        return graph.all().enumerate().try_for_each(|(node, ways)| {
            wanted(node, go_on)?;
            lead_on(ways, node, arrived)
        });
    }
    let Some((members, sizes)) = &order.circles else {
        return order.straight.iter().enumerate().try_for_each(|(i, node)| {
            wanted(i, go_on)?;
            pass_on(graph, *node, arrived)
        });
    };
    let mut end = members.len();
    for size in sizes.iter().rev() {
        let component = &members[end - *size as usize..end];
        end -= *size as usize;
        wanted(end, go_on)?;
        match component[..] {
            [only] if graph.of(only).iter().all(|(to, _)| *to != only) => pass_on(graph, only, arrived)?,
            // Where nobody comes, nobody has to leave.
            _ if component.iter().all(|node| arrived[*node as usize].is_zero()) => {}
            _ => leave_circle(graph, component, arrived, go_on)?,
        }
    }
    Ok(())
}

/// Asks now and then whether to go on.
fn wanted(node: usize, go_on: &dyn Fn() -> bool) -> Result<(), Unsolved> {
    if node.is_multiple_of(64) && !go_on() { Err(Unsolved::Stopped) } else { Ok(()) }
}

fn pass_on<A: Amount>(graph: &Graph, node: u32, arrived: &mut [A]) -> Result<(), Unsolved> {
    lead_on(graph.of(node), node as usize, arrived)
}

#[inline(always)]
fn lead_on<A: Amount>(ways: &[Edge], node: usize, arrived: &mut [A]) -> Result<(), Unsolved> {
    let here = arrived[node].clone();
    if ways.is_empty() || here.is_zero() {
        return Ok(());
    }
    for (to, weight) in ways {
        let there = &mut arrived[*to as usize];
        *there = there.plus(&here.times(&A::of(*weight))?)?;
    }
    Ok(())
}

/// Eliminates the nodes of a circle one after the other: whoever leads to a node leads instead to where it leads. Only sums and products of positive
/// numbers, so nothing is lost.
fn leave_circle<A: Amount>(graph: &Graph, component: &[u32], arrived: &mut [A], go_on: &dyn Fn() -> bool) -> Result<(), Unsolved> {
    let mut edges: FxHashMap<u32, Edges<A>> = FxHashMap::default();
    for node in component {
        edges.insert(*node, graph.of(*node).iter().map(|(to, w)| (*to, A::of(*w))).collect());
    }
    let mut left: Vec<u32> = component.to_vec();
    while let Some(node) = left.pop() {
        let out: Edges<A> = edges.remove(&node).unwrap_or_default().into_iter().filter(|(to, _)| *to != node).collect();
        // Staying is no progress: what leaves is scaled up to certainty.
        let leaving = out.iter().try_fold(A::zero(), |sum, (_, chance)| sum.plus(chance))?;
        if leaving.is_zero() {
            return Err(Unsolved::Endless);
        }
        let mut scaled = Vec::with_capacity(out.len());
        for (to, chance) in out {
            scaled.push((to, chance.divided_by(&leaving)?));
        }
        let here = arrived[node as usize].clone();
        if !here.is_zero() {
            for (to, chance) in &scaled {
                let there = &mut arrived[*to as usize];
                *there = there.plus(&here.times(chance)?)?;
            }
        }
        for other in &left {
            let Some(from) = edges.get_mut(other) else {
                continue;
            };
            let Some(i) = from.iter().position(|(to, _)| *to == node) else {
                continue;
            };
            if !go_on() {
                return Err(Unsolved::Stopped);
            }
            let (_, through) = from.swap_remove(i);
            for (to, chance) in &scaled {
                let more = through.times(chance)?;
                match from.iter_mut().find(|(t, _)| t == to) {
                    Some((_, chance)) => *chance = chance.plus(&more)?,
                    None => from.push((*to, more)),
                }
            }
        }
    }
    Ok(())
}

/// Strongly connected components, each after all it leads to: their members one after the other, and how many each has. Without recursion: graphs are
/// deep.
fn components(graph: &Graph) -> (Vec<u32>, Vec<u32>) {
    const NEW: u32 = u32::MAX;
    let n = graph.len();
    let (mut order, mut low) = (vec![NEW; n], vec![0u32; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut counter) = (Vec::new(), 0u32);
    let (mut members, mut sizes) = (Vec::with_capacity(n), Vec::with_capacity(n));
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..n {
        if order[start] != NEW {
            continue;
        }
        path.push((start, 0));
        while let Some((node, next)) = path.last().copied() {
            if next == 0 && order[node] == NEW {
                order[node] = counter;
                low[node] = counter;
                counter += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some((to, _)) = graph.of(node as u32).get(next) {
                let to = *to as usize;
                if let Some(top) = path.last_mut() {
                    top.1 += 1;
                }
                if order[to] == NEW {
                    path.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = members.len();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    members.push(member as u32);
                    if member == node {
                        break;
                    }
                }
                sizes.push((members.len() - from) as u32);
            }
        }
    }
    (members, sizes)
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    fn c(num: u128, den: u128) -> Weight {
        Weight::new(num, den)
    }

    fn graph(nodes: &[&[Edge]]) -> Graph {
        let mut graph = Graph::default();
        for edges in nodes {
            let node = graph.add();
            graph.lead(node, edges).expect("fits");
        }
        graph
    }

    fn arrivals<A: Amount>(graph: &Graph) -> Result<Vec<A>, Unsolved> {
        let (mut order, mut arrived) = (Order::default(), Vec::new());
        order.find(graph);
        super::arrivals(graph, &order, &mut arrived, &|| true)?;
        Ok(arrived)
    }

    fn at(arrived: &[Weight], node: usize) -> Fraction {
        arrived[node].exact()
    }

    #[test]
    fn a_tie_is_rolled_again_until_it_is_broken() {
        // 5/12 first wins, 5/12 second wins, 1/6 again.
        let graph = graph(&[&[(0, c(1, 6)), (1, c(5, 12)), (2, c(5, 12))], &[], &[]]);
        let arrived: Vec<Weight> = arrivals(&graph).expect("solved");
        assert_eq!((at(&arrived, 1), at(&arrived, 2)), (Fraction::new(1, 2), Fraction::new(1, 2)));
    }

    #[test]
    fn a_long_circle_is_solved() {
        // A walk on 0..4 from 2, ends at 0 and 4; from 1 and 3 back to 2.
        let half = c(1, 2);
        let graph = graph(&[&[(1, half), (2, half)], &[(3, half), (0, half)], &[(4, c(1, 4)), (0, c(3, 4))], &[], &[]]);
        let arrived: Vec<Weight> = arrivals(&graph).expect("solved");
        assert_eq!((at(&arrived, 3), at(&arrived, 4)), (Fraction::new(2, 3), Fraction::new(1, 3)));
    }

    #[test]
    fn fractions_of_any_size_come_to_the_same() {
        let half = c(1, 2);
        let graph = graph(&[&[(1, half), (2, half)], &[(3, half), (0, half)], &[(4, c(1, 4)), (0, c(3, 4))], &[], &[]]);
        let (short, long): (Vec<Weight>, Vec<Fraction>) = (arrivals(&graph).expect("solved"), arrivals(&graph).expect("solved"));
        assert_eq!(short[3..].iter().map(|w| w.exact()).collect::<Vec<_>>(), long[3..]);
    }

    #[test]
    fn chances_that_outgrow_their_bits_are_exact_in_fractions_of_any_size() {
        // A row of a hundred rolls of which each leads on with a chance of 1/10.
        let mut rows: Vec<Vec<Edge>> = (0..100).map(|n| vec![(n + 1, c(1, 10)), (101, c(9, 10))]).collect();
        rows.extend([vec![], vec![]]);
        let graph = graph(&rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
        assert_eq!(arrivals::<Weight>(&graph), Err(Unsolved::Outgrown));
        let arrived: Vec<Fraction> = arrivals(&graph).expect("solved");
        assert_eq!(arrived[100].to_string(), format!("1/1{}", "0".repeat(100)));
        assert_eq!(arrived[100].plus(&arrived[101]), Fraction::one());
    }

    #[test]
    fn what_never_ends_is_said() {
        let graph = graph(&[&[(1, c(1, 1))], &[(0, c(1, 1))]]);
        assert_eq!(arrivals::<Weight>(&graph), Err(Unsolved::Endless));
    }
}
