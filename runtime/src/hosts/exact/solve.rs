//! How likely each end is, given the graph of states. States that come back to themselves are solved by elimination, never cut off.

use rustc_hash::FxHashMap;

use super::chance::{Chance, Outgrown};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unsolved {
    Outgrown,
    /// A state from which no end can be reached.
    Endless,
}

impl From<Outgrown> for Unsolved {
    fn from(_: Outgrown) -> Unsolved {
        Unsolved::Outgrown
    }
}

type Edges = Vec<(u32, Chance)>;

/// The chance to arrive at each node from node 0; for nodes on a circle, how often it is left for good is what counts, so that only ends
/// and entries are meaningful.
pub(super) fn arrivals(graph: &[Edges]) -> Result<Vec<Chance>, Unsolved> {
    let mut arrived = vec![Chance::ZERO; graph.len()];
    if let Some(first) = arrived.first_mut() {
        *first = Chance::ONE;
    }
    // Tarjan finds components after everything they lead to: from the last to the first is the order of play.
    for component in components(graph).into_iter().rev() {
        match component[..] {
            [only] if graph[only as usize].iter().all(|(to, _)| *to != only) => {
                let here = arrived[only as usize];
                for (to, chance) in &graph[only as usize] {
                    let there = &mut arrived[*to as usize];
                    *there = there.plus(here.times(*chance)?)?;
                }
            }
            // Where nobody comes, nobody has to leave.
            _ if component.iter().all(|node| arrived[*node as usize] == Chance::ZERO) => {}
            _ => leave_circle(graph, &component, &mut arrived)?,
        }
    }
    Ok(arrived)
}

/// Eliminates the nodes of a circle one after the other: whoever leads to a node leads instead to where it leads. Only sums and products of positive
/// numbers, so nothing is lost.
fn leave_circle(graph: &[Edges], component: &[u32], arrived: &mut [Chance]) -> Result<(), Unsolved> {
    let mut edges: FxHashMap<u32, Edges> = FxHashMap::default();
    for node in component {
        edges.insert(*node, graph[*node as usize].clone());
    }
    let mut left: Vec<u32> = component.to_vec();
    while let Some(node) = left.pop() {
        let out: Edges = edges.remove(&node).unwrap_or_default().into_iter().filter(|(to, _)| *to != node).collect();
        // Staying is no progress: what leaves is scaled up to certainty.
        let leaving = out.iter().try_fold(Chance::ZERO, |sum, (_, chance)| sum.plus(*chance))?;
        if leaving == Chance::ZERO {
            return Err(Unsolved::Endless);
        }
        let mut scaled = Vec::with_capacity(out.len());
        for (to, chance) in out {
            scaled.push((to, chance.divided_by(leaving)?));
        }
        let here = arrived[node as usize];
        if here != Chance::ZERO {
            for (to, chance) in &scaled {
                let there = &mut arrived[*to as usize];
                *there = there.plus(here.times(*chance)?)?;
            }
        }
        for other in &left {
            let Some(from) = edges.get_mut(other) else {
                continue;
            };
            let Some(i) = from.iter().position(|(to, _)| *to == node) else {
                continue;
            };
            let (_, through) = from.swap_remove(i);
            for (to, chance) in &scaled {
                let more = through.times(*chance)?;
                match from.iter_mut().find(|(t, _)| t == to) {
                    Some((_, chance)) => *chance = chance.plus(more)?,
                    None => from.push((*to, more)),
                }
            }
        }
    }
    Ok(())
}

/// Strongly connected components, each after all it leads to. Without recursion: graphs are deep.
fn components(graph: &[Edges]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let n = graph.len();
    let (mut order, mut low) = (vec![NEW; n], vec![0u32; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut counter) = (Vec::new(), Vec::new(), 0u32);
    for start in 0..n {
        if order[start] != NEW {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((node, next)) = path.last().copied() {
            if next == 0 && order[node] == NEW {
                order[node] = counter;
                low[node] = counter;
                counter += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some((to, _)) = graph[node].get(next) {
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
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member as u32);
                    if member == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    fn c(num: u128, den: u128) -> Chance {
        Chance::new(num, den)
    }

    #[test]
    fn a_tie_is_rolled_again_until_it_is_broken() {
        // 5/12 first wins, 5/12 second wins, 1/6 again.
        let graph = vec![vec![(0, c(1, 6)), (1, c(5, 12)), (2, c(5, 12))], vec![], vec![]];
        let arrived = arrivals(&graph).expect("solved");
        assert_eq!((arrived[1], arrived[2]), (c(1, 2), c(1, 2)));
    }

    #[test]
    fn a_long_circle_is_solved() {
        // A walk on 0..4 from 2, ends at 0 and 4; from 1 and 3 back to 2.
        let half = c(1, 2);
        let graph = vec![vec![(1, half), (2, half)], vec![(3, half), (0, half)], vec![(4, c(1, 4)), (0, c(3, 4))], vec![], vec![]];
        let arrived = arrivals(&graph).expect("solved");
        assert_eq!((arrived[3], arrived[4]), (c(2, 3), c(1, 3)));
    }

    #[test]
    fn what_never_ends_is_said() {
        let graph = vec![vec![(1, c(1, 1))], vec![(0, c(1, 1))]];
        assert_eq!(arrivals(&graph), Err(Unsolved::Endless));
    }
}
