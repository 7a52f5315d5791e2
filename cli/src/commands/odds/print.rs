//! Odds for people and for programs.

use std::io::Write;

use banneret_odds::{Decided, Fraction};
use banneret_runtime::describe;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::value::Value;
use banneret_runtime::world::World;
use serde_json::{Value as Json, json};

use super::spread::{Figure, Likely, Spread};
use crate::report::counted;
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// How the odds were found.
pub enum Found {
    /// Every outcome was looked at.
    Exact {
        states: usize,
    },
    Sampled {
        samples: u64,
        seed: u64,
    },
}

pub struct Answered {
    pub found: Found,
    pub spreads: Vec<Spread>,
    /// What `--best` decided: who, what and how.
    pub decided: Vec<Decided>,
}

fn text(pack: &Loaded, value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => describe::value(pack, &World::default(), other),
    }
}

/// Up to four places, without zeros that say nothing.
fn short(n: f64) -> String {
    let text = format!("{n:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub fn people(pack: &Loaded, answered: &Answered, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    for spread in &answered.spreads {
        writeln!(out, "{}", terminal.bold(&spread.measure))?;
        chart(pack, spread, terminal, out)?;
        figures(spread, &answered.found, out)?;
    }
    for decided in &answered.decided {
        let often = decided.chance.approximate() * 100.0;
        writeln!(out, "Best: {} for {} (asked in {} %).", decided.answer, decided.question, short(often))?;
    }
    match &answered.found {
        Found::Exact { states } => {
            let states = counted(*states, "state was", "states were");
            writeln!(out, "Exact: {states} looked at.")?;
            if answered.spreads.iter().flat_map(|spread| &spread.outcomes).any(|(_, likely)| fraction(likely).is_none()) {
                writeln!(out, "Fractions of more than {LONGEST} signs are left out: `--json` has them whole.")?;
            }
        }
        Found::Sampled { samples, seed } => {
            writeln!(
                out,
                "SAMPLED, not exact: {} from seed {seed}; [ ] are 95 % intervals.",
                counted(*samples as usize, "sample", "samples")
            )?;
        }
    }
    Ok(())
}

/// Longer fractions tell a reader nothing.
const LONGEST: usize = 30;

/// The fraction, or how often it was counted. None: too long to be read.
fn fraction(likely: &Likely) -> Option<String> {
    let text = match likely {
        Likely::Exact(chance) => chance.to_string(),
        Likely::Counted(n, _) => n.to_string(),
    };
    (text.len() <= LONGEST).then_some(text)
}

/// One line for each outcome: value, fraction, percent and a bar that fits.
fn chart(pack: &Loaded, spread: &Spread, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    let rows: Vec<(String, String, String, f64)> = spread
        .outcomes
        .iter()
        .map(|(value, likely)| {
            let exact = fraction(likely).unwrap_or_else(|| "…".to_owned());
            let percent = match likely.interval() {
                None => format!("{:.2} %", likely.decimal() * 100.0),
                Some((low, high)) => format!("{:.2} % [{:.2}, {:.2}]", likely.decimal() * 100.0, low * 100.0, high * 100.0),
            };
            (text(pack, value), exact, percent, likely.decimal())
        })
        .collect();
    let widest = |of: fn(&(String, String, String, f64)) -> &String| rows.iter().map(|r| of(r).chars().count()).max().unwrap_or(0);
    let (first, second, third) = (widest(|r| &r.0), widest(|r| &r.1), widest(|r| &r.2));
    let used = 2 + first + 2 + second + 2 + third + 2;
    let room = terminal.width.saturating_sub(used);
    let most = rows.iter().map(|r| r.3).fold(0.0, f64::max);
    for (value, exact, percent, decimal) in rows {
        let bar = match room >= 5 && most > 0.0 {
            true => "█".repeat(((decimal / most) * room as f64).round() as usize),
            false => String::new(),
        };
        let line = format!("  {value:>first$}  {exact:>second$}  {percent:>third$}  {bar}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn figures(spread: &Spread, found: &Found, out: &mut Out) -> Result<(), Trouble> {
    let told = |figure: Figure| {
        let decimal = short(figure.decimal);
        match figure.exact.map(|e| e.to_string()) {
            Some(exact) if exact != decimal && exact.len() <= LONGEST => format!("{exact} = {decimal}"),
            _ => decimal,
        }
    };
    // Of yes and no the chances say everything.
    let yes_or_no = spread.outcomes.iter().all(|(v, _)| matches!(v, Value::Bool(_)));
    let Some(figures) = spread.figures().filter(|_| !yes_or_no) else {
        return Ok(());
    };
    let around = match found {
        Found::Exact { .. } => String::new(),
        Found::Sampled { samples, .. } => format!(" ± {}", short(1.959_964 * (figures.variance.decimal / (*samples).max(1) as f64).sqrt())),
    };
    let deviation = short(figures.variance.decimal.max(0.0).sqrt());
    writeln!(out, "  mean {}{around}, variance {}, standard deviation {deviation}", told(figures.mean), told(figures.variance))?;
    Ok(())
}

pub fn programs(pack: &Loaded, answered: &Answered, out: &mut Out) -> Result<(), Trouble> {
    let measures: Vec<Json> = answered.spreads.iter().map(|s| measure(pack, s, &answered.found)).collect();
    let decided: Vec<Json> = answered
        .decided
        .iter()
        .map(|d| json!({ "question": d.question, "answer": d.answer, "chance": d.chance.to_string(), "decimal": d.chance.approximate() }))
        .collect();
    let object = match &answered.found {
        Found::Exact { states } => json!({ "exact": true, "states": states, "measures": measures, "decided": decided }),
        Found::Sampled { samples, seed } => {
            json!({ "exact": false, "samples": samples, "seed": seed, "measures": measures, "decided": decided })
        }
    };
    writeln!(out, "{object}")?;
    Ok(())
}

fn measure(pack: &Loaded, spread: &Spread, found: &Found) -> Json {
    let outcomes: Vec<Json> = spread
        .outcomes
        .iter()
        .map(|(value, likely)| {
            let number = match value {
                Value::Bool(_) => None,
                other => Fraction::of_value(other).map(|n| n.approximate()),
            };
            let mut row = json!({ "value": text(pack, value), "number": number, "decimal": likely.decimal() });
            match (likely, likely.interval()) {
                (Likely::Exact(chance), _) => row["chance"] = json!(chance.to_string()),
                (Likely::Counted(n, _), interval) => {
                    row["count"] = json!(n);
                    row["interval"] = json!(interval.map(|(low, high)| [low, high]));
                }
            }
            row
        })
        .collect();
    let figure = |f: &Figure| json!({ "exact": f.exact.as_ref().map(|e| e.to_string()), "decimal": f.decimal });
    let figures = spread.figures();
    let mut object = json!({
        "measure": spread.measure,
        "outcomes": outcomes,
        "mean": figures.as_ref().map(|f| figure(&f.mean)),
        "variance": figures.as_ref().map(|f| figure(&f.variance)),
    });
    if let (Found::Sampled { samples, .. }, Some(figures)) = (found, figures) {
        let half = 1.959_964 * (figures.variance.decimal / (*samples).max(1) as f64).sqrt();
        object["mean"]["interval"] = json!([figures.mean.decimal - half, figures.mean.decimal + half]);
    }
    object
}
