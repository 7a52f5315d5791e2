//! `banneret odds`: how likely what comes of something is.

mod declared;
mod inquiry;
mod print;
mod spread;

use banneret_odds::{self as exact, Exact};
use banneret_runtime::fault::{Fault, FaultKind};
use banneret_runtime::hosts::sampled::Sampler;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::SiteId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Machine;
use banneret_runtime::pack::Test;
use banneret_runtime::testing::test_world;
use banneret_runtime::value::Value;
use rayon::prelude::*;

use self::inquiry::Inquiry;
use self::print::{Answered, Found};
use self::spread::{Likely, Spread};
use crate::Outcome;
use crate::args::Odds;
use crate::commands::play::setting::one_project;
use crate::terminal::{Out, Progress, Terminal};
use crate::trouble::Trouble;

/// Samples that one generator draws before the next one is seeded.
const CHUNK: u64 = 1_000;

pub fn run(args: &Odds, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let mut session = one_project(&args.path)?;
    if let Some(name) = &args.of {
        return declared::run(name, args, &session, terminal, out);
    }
    let inquiry = match &args.test {
        Some(words) => Inquiry::find(words, &session, terminal, out)?,
        None => Inquiry::write(args, &mut session, terminal, out)?,
    };
    let Some(inquiry) = inquiry else {
        return Ok(Outcome::Found);
    };
    let Some(test) = inquiry.test() else {
        return Err(Trouble::new("There is nothing to measure."));
    };
    let pack = &inquiry.pack;
    let machine = test_world(pack, test, Limits::default()).map_err(|fault| trouble(pack, &fault))?;
    let answered = match args.sample {
        Some(samples) => sample(pack, &inquiry, test, &machine, samples, args.seed)?,
        None => exactly(args, pack, &inquiry, test, machine)?,
    };
    match args.json {
        true => print::programs(pack, &answered, out)?,
        false => print::people(pack, &answered, terminal, out)?,
    }
    Ok(Outcome::Fine)
}

fn exactly(args: &Odds, pack: &Loaded, inquiry: &Inquiry, test: &Test, machine: Machine) -> Result<Answered, Trouble> {
    let progress = Progress::new("Looking at every outcome", 2);
    let goal = test.measures.last().filter(|_| inquiry.has_goal);
    let found = match goal {
        Some(goal) => exact::best(machine, pack, args.states, goal.site).map(|best| (best.exact, best.decided)),
        None => exact::odds(machine, pack, args.states).map(|exact| (exact, Vec::new())),
    };
    drop(progress);
    let (exact, decided) = found.map_err(|fault| trouble(pack, &fault))?;
    let spread = |exact: &Exact, site: SiteId| -> Vec<(Value, Likely)> {
        exact.spread(site).iter().map(|(value, chance)| (value.clone(), Likely::Exact(chance.clone()))).collect()
    };
    let spreads = inquiry.measures.iter().zip(&test.measures).map(|(words, m)| Spread::new(words.clone(), spread(&exact, m.site)));
    Ok(Answered { spreads: spreads.collect(), found: Found::Exact { states: exact.states }, decided })
}

fn sample(pack: &Loaded, inquiry: &Inquiry, test: &Test, machine: &Machine, samples: u64, seed: u64) -> Result<Answered, Trouble> {
    // Each chunk has a generator of its own, so that the result does not depend on how many cores there are.
    let mut seeds = Generator::new(seed);
    let chunks: Vec<(u64, u64)> = (0..samples.div_ceil(CHUNK)).map(|i| (seeds.next_u64(), CHUNK.min(samples - i * CHUNK))).collect();
    type Counts = Vec<(SiteId, Value, u64)>;
    let add = |counts: &mut Counts, site: SiteId, value: Value, n: u64| match counts.iter_mut().find(|(s, v, _)| *s == site && *v == value)
    {
        Some((_, _, sum)) => *sum += n,
        None => counts.push((site, value, n)),
    };
    let progress = std::sync::Mutex::new(Progress::new("Sampling", chunks.len()));
    let one = |(seed, n): &(u64, u64)| -> Result<Counts, Fault> {
        let mut generator = Generator::new(*seed);
        let mut counts = Counts::new();
        let mut sampler = Sampler::new(machine, pack);
        for _ in 0..*n {
            for (site, value) in sampler.sample(&mut generator)? {
                add(&mut counts, site, value, 1);
            }
        }
        if let Ok(mut progress) = progress.lock() {
            progress.step("");
        }
        Ok(counts)
    };
    let parts: Vec<Counts> = chunks.par_iter().map(one).collect::<Result<_, _>>().map_err(|fault| trouble(pack, &fault))?;
    drop(progress);
    let mut counts = Counts::new();
    for (site, value, n) in parts.into_iter().flatten() {
        add(&mut counts, site, value, n);
    }
    let spreads = inquiry.measures.iter().zip(&test.measures).map(|(words, measure)| {
        let of = counts.iter().filter(|(site, ..)| *site == measure.site);
        let all = of.clone().map(|(.., n)| n).sum();
        Spread::new(words.clone(), of.map(|(_, value, n)| (value.clone(), Likely::Counted(*n, all))).collect())
    });
    Ok(Answered { spreads: spreads.collect(), found: Found::Sampled { samples, seed }, decided: Vec::new() })
}

/// Why there are no odds, and what to do about it.
fn trouble(pack: &Loaded, fault: &Fault) -> Trouble {
    let place = fault.site.and_then(|id| pack.sites.get(id.index())).filter(|site| site.line > 0);
    let at = place.map_or(String::new(), |site| format!(" (at {}:{})", pack.text(site.file), site.line));
    let words = &fault.words;
    match fault.kind {
        FaultKind::Limit(_) | FaultKind::Arithmetic => Trouble::new(format!("There are no exact odds: {words}{at}.")).help(
            "`--sample 10000` plays it that often instead and says how far the result can be trusted; `--states N` looks at more states.",
        ),
        FaultKind::Script => Trouble::new(format!("The odds are not clear: {words}{at}."))
            .help("Say what is chosen with `--answers \"[…]\"`, as in a test, or let `--best CONDITION` choose."),
        FaultKind::Unmet => Trouble::new(format!("This cannot be played in every case: {words}{at}."))
            .help("Say when it is done, as in `--do \"if in_play(b) { … }\"`: what the dice do first can make it illegal."),
        _ => Trouble::new(format!("This cannot be played: {words}{at}.")),
    }
}
