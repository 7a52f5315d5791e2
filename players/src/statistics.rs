//! What can be said about many games.

/// The interval that holds the true share in 95 of 100 cases, by Wilson's score: it is right for few games and for shares near 0 and 1.
pub fn wilson(successes: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_963_984_540_054;
    let n = all as f64;
    let share = successes as f64 / n;
    let square = Z * Z / n;
    let middle = share + square / 2.0;
    let half = Z * (share * (1.0 - share) / n + square / (4.0 * n)).sqrt();
    (((middle - half) / (1.0 + square)).max(0.0), ((middle + half) / (1.0 + square)).min(1.0))
}

/// How many games came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    pub games: usize,
    /// By seat.
    pub wins: Vec<usize>,
    pub draws: usize,
}

impl Results {
    /// Won games of a seat, and half of the drawn ones, in all games. Between 0 and 1.
    pub fn share(&self, seat: usize) -> f64 {
        let won = self.wins.get(seat).copied().unwrap_or_default() as f64;
        (won + self.draws as f64 / self.wins.len().max(1) as f64) / self.games.max(1) as f64
    }
}

/// Below this many games an interval is too wide to say which side is better.
const FEW: usize = 30;

/// Why the figures say little, in sentences.
pub fn warnings(results: &Results, decisions: u64, passes: u64) -> Vec<String> {
    let mut out = Vec::new();
    let Results { games, wins, draws } = results;
    if *games < FEW {
        out.push(format!("{games} games say little: a share is known to about {} points up or down.", half_width(*games)));
    }
    if passes * 2 > decisions && decisions > 0 {
        out.push(format!("{} of 100 decisions were to pass: the players did not play.", passes * 100 / decisions));
    }
    if *games >= 10 {
        if *draws * 10 >= games * 8 {
            out.push(format!("{draws} of {games} games were drawn: nobody plays to win, or nobody can."));
        }
        for (seat, won) in (1..).zip(wins) {
            if wins.len() > 1 && *won == *games {
                out.push(format!("Player {seat} wins always: the figures do not say by how much."));
            }
        }
    }
    out
}

/// Half of the interval around one half, in points of a hundred.
fn half_width(games: usize) -> u32 {
    let (low, high) = wilson(games / 2, games);
    (50.0 * (high - low)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_as_in_the_tables() {
        let near = |(low, high): (f64, f64), wanted: (f64, f64)| (low - wanted.0).abs() < 5e-4 && (high - wanted.1).abs() < 5e-4;
        assert!(near(wilson(0, 10), (0.0, 0.2775)), "{:?}", wilson(0, 10));
        assert!(near(wilson(5, 10), (0.2366, 0.7634)), "{:?}", wilson(5, 10));
        assert!(near(wilson(81, 263), (0.2553, 0.3662)), "{:?}", wilson(81, 263));
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn figures_that_say_nothing_are_called_so() {
        let results = |games, one, other, draws| Results { games, wins: vec![one, other], draws };
        assert!(warnings(&results(100, 45, 50, 5), 1000, 100).is_empty());
        assert!(warnings(&results(10, 5, 5, 0), 1000, 100)[0].starts_with("10 games say little"));
        assert!(warnings(&results(100, 5, 5, 90), 1000, 100)[0].contains("drawn"));
        assert!(warnings(&results(100, 100, 0, 0), 1000, 100)[0].contains("Player 1 wins always"));
        assert!(warnings(&results(100, 50, 50, 0), 1000, 600)[0].starts_with("60 of 100 decisions"));
        assert_eq!(results(10, 4, 4, 2).share(0), 0.5);
    }
}
