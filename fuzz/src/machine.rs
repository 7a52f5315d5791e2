//! Packs and saved games: what the verifier lets through is run, played, saved and loaded.

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_odds as exact;
use banneret_players::play_at_random;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::{Limits, Work};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;
use banneret_runtime::testing::{run_limits, test_world};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Target, changes, generator_of, kept, one_of, texts};

/// Small, so that many games are played.
pub const LIMITS: Limits = Limits {
    steps: 20_000,
    objects: 200,
    depth: 32,
    events: 200,
    list_length: 1_000,
    memory: 10_000,
    candidates: 500,
    call_depth: 32,
    state_checks: 20,
    ask_order: false,
};

/// The games of the corpus, compiled. Empty if they cannot be: a test asks.
pub fn games() -> Vec<Pack> {
    let one = |text: &Vec<u8>| {
        let mut workspace = Workspace::new();
        let text = String::from_utf8_lossy(text).into_owned();
        let project = workspace.open(Manifest::loose("fuzz"), String::new(), vec![("fuzz.banner".to_owned(), text)]);
        workspace.build(project).ok()
    };
    texts::games().iter().filter_map(one).filter(|pack| pack.start.is_some()).collect()
}

/// The scenario that a game takes.
pub fn scenario(pack: &Pack) -> Option<CardId> {
    (0u32..).zip(&pack.cards).find(|(_, card)| Some(card.kind) == pack.scenario_kind).map(|(i, _)| CardId(i))
}

pub fn pack() -> Target {
    let games = games();
    let mut seeds: Vec<Vec<u8>> = games.iter().filter_map(|pack| pack.to_bytes().ok()).collect();
    seeds.extend(kept("pack"));
    let change = move |seeds: &[Vec<u8>], generator: &mut Generator| {
        let lie = (generator.below(8) > 0).then(|| tampered(&games, generator)?.to_bytes().ok()).flatten();
        // the first bytes only say that it is a pack
        lie.unwrap_or_else(|| one_of(seeds, generator).map(|seed| changes::bytes(seed, 12, seeds, generator)).unwrap_or_default())
    };
    let run = |input: &[u8]| {
        if let Ok(Ok(pack)) = Pack::from_bytes(input).map(Loaded::new) {
            play(&pack, &mut generator_of(input));
        }
    };
    Target { name: "pack", seeds, change: Box::new(change), run: Box::new(run), at_most: 100_000 }
}

/// A game of the corpus after a few changes; those that the verifier refuses are mostly taken back, so that they add up.
pub fn tampered(games: &[Pack], generator: &mut Generator) -> Option<Pack> {
    let mut pack = one_of(games, generator)?.clone();
    for _ in 0..=generator.below(4) {
        let mut next = pack.clone();
        for _ in 0..=generator.below(2) {
            tamper(&mut next, generator);
        }
        if generator.below(10) == 0 || Loaded::new(next.clone()).is_ok() {
            pack = next;
        }
    }
    Some(pack)
}

/// Changes a pack as somebody could who knows how it is made.
fn tamper(pack: &mut Pack, generator: &mut Generator) {
    match generator.below(40) {
        0..=15 => code(pack, generator),
        16 => shake(&mut pack.consts, generator),
        17 => shake(&mut pack.kinds, generator),
        18 | 19 => shake(&mut pack.fields, generator),
        20 | 21 => shake(&mut pack.cards, generator),
        22 => shake(&mut pack.keywords, generator),
        23 | 24 => shake(&mut pack.bundles, generator),
        25 | 26 => shake(&mut pack.actions, generator),
        27 | 28 => shake(&mut pack.fragments, generator),
        29 => shake(&mut pack.facts, generator),
        30 => shake(&mut pack.options, generator),
        31 | 32 => shake(&mut pack.chooses, generator),
        33 => shake(&mut pack.menus, generator),
        34 => shake(&mut pack.grants, generator),
        35 => shake(&mut pack.pasts, generator),
        36 => shake(&mut pack.limits, generator),
        37 => shake(&mut pack.tests, generator),
        38 => {
            let mut heads = vec![(pack.global_rules.clone(), pack.player_kind, pack.start, pack.scenario_kind, pack.players, pack.board)];
            shake(&mut heads, generator);
            if let Some(head) = heads.pop() {
                (pack.global_rules, pack.player_kind, pack.start, pack.scenario_kind, pack.players, pack.board) = head;
            }
        }
        _ => shake(&mut pack.symbols, generator),
    }
}

/// Instructions from elsewhere, gone, or with other operands.
fn code(pack: &mut Pack, generator: &mut Generator) {
    let (to, from) = (generator.below(pack.fragments.len() as u64) as usize, generator.below(pack.fragments.len() as u64) as usize);
    let Some(taken) = pack.fragments.get(from).and_then(|fragment| one_of(&fragment.code, generator)).copied() else { return };
    let Some(fragment) = pack.fragments.get_mut(to) else { return };
    let at = generator.below(fragment.code.len() as u64) as usize;
    match generator.below(4) {
        0 => fragment.code.insert(at.min(fragment.code.len()), taken),
        1 if at < fragment.code.len() => fragment.code[at] = taken,
        _ => shake(&mut fragment.code, generator),
    }
    fragment.sites.clear();
}

/// An entry of a table with one other number or another variant, an entry twice, gone, or in another's place. What comes out is an entry again.
fn shake<T: Serialize + DeserializeOwned + Clone>(list: &mut Vec<T>, generator: &mut Generator) {
    let (a, b) = (generator.below(list.len() as u64) as usize, generator.below(list.len() as u64) as usize);
    if list.is_empty() {
        return;
    }
    match generator.below(12) {
        0 => list.swap(a, b),
        1 => list[a] = list[b].clone(),
        2 => drop(list.remove(a)),
        3 => list.push(list[a].clone()),
        _ => {
            let (Ok(mut bytes), Ok(other)) = (postcard::to_allocvec(&list[a]), postcard::to_allocvec(&list[b])) else { return };
            if bytes.is_empty() {
                return;
            }
            let at = generator.below(bytes.len() as u64) as usize;
            match generator.below(6) {
                0 => bytes[at] = bytes[at].wrapping_add(1),
                1 => bytes[at] = bytes[at].wrapping_sub(1),
                2 => bytes[at] = other.get(at).copied().unwrap_or_default(),
                3 => bytes[at] ^= 1 << generator.below(8),
                4 => drop(bytes.splice(at..=at, [0xff, 0xff, 0xff, 0xff, 0x0f])),
                _ => bytes[at] = generator.below(24) as u8,
            }
            if let Ok((changed, [])) = postcard::take_from_bytes::<T>(&bytes) {
                list[a] = changed;
            }
        }
    }
}

/// Plays a game, saves and loads it, runs tests, odds and limits: as far as each goes.
pub fn play(pack: &Loaded, generator: &mut Generator) {
    if let Ok(mut machine) = Machine::new(pack, 2, LIMITS)
        && machine.start_game(pack, scenario(pack)).is_ok()
    {
        let step = play_at_random(&mut machine, pack, generator, 60);
        if let Step::Fault(fault) = step {
            assert!(!fault.words.is_empty(), "a fault has a reason");
        }
        let saved = machine.save(pack).and_then(|saved| Machine::load(&saved, pack));
        assert!(saved.as_ref() == Ok(&machine), "a saved game is the same game: {:?}", saved.err());
    }
    for test in pack.tests.iter().take(3) {
        if let Ok(machine) = test_world(pack, test, LIMITS) {
            let mut played = machine.clone();
            play_at_random(&mut played, pack, generator, 20);
            let _ = exact::odds(machine, pack, 50);
        }
    }
    let _ = run_limits(pack, &Work::new(1_000_000), |_, _| true);
}

/// Saved games of the corpus, after some questions. The first byte says which game it is.
pub fn save() -> Target {
    let games: Vec<Loaded> = games().into_iter().filter_map(|pack| Loaded::new(pack).ok()).collect();
    let mut seeds = Vec::new();
    for (n, pack) in (0u8..).zip(&games) {
        for questions in [0, 3, 10, 25] {
            let Ok(mut machine) = Machine::new(pack, 2, LIMITS) else { continue };
            if machine.start_game(pack, scenario(pack)).is_ok() {
                play_at_random(&mut machine, pack, &mut Generator::new(1), questions);
                seeds.extend(machine.save(pack).ok().map(|saved| [&[n], saved.as_slice()].concat()));
            }
        }
    }
    // the number of the game, the mark and the fingerprint come first: damage there is no news
    let change = |seeds: &[Vec<u8>], generator: &mut Generator| {
        one_of(seeds, generator).map(|seed| changes::bytes(seed, 17, seeds, generator)).unwrap_or_default()
    };
    let run = move |input: &[u8]| {
        let Some((pack, saved)) = input.split_first().and_then(|(n, saved)| Some((games.get(usize::from(*n))?, saved))) else { return };
        match Machine::load(saved, pack) {
            Ok(mut machine) => drop(play_at_random(&mut machine, pack, &mut generator_of(input), 20)),
            Err(why) => assert!(!why.to_string().is_empty(), "a refusal has a reason"),
        }
    };
    Target { name: "save", seeds, change: Box::new(change), run: Box::new(run), at_most: 500_000 }
}
