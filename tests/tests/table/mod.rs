//! The content of the house made ready to play, and games played by nobody.

#![allow(dead_code)]

use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use banneret_players::random_answer;
use banneret_runtime::hosts::seeded::Generator;
use banneret_runtime::ids::CardId;
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Step};
use banneret_runtime::pack::Pack;
use banneret_runtime::question::Answer;
use banneret_tests::files::{below, house, shown, text};

pub const SYSTEMS: [&str; 5] = ["affinity", "flux", "focal_point", "one_card", "worlds_collide"];

/// Long runs are asked for.
pub fn exhaustive() -> bool {
    std::env::var_os("BANNERET_EXHAUSTIVE").is_some_and(|v| v == "1")
}

pub fn built(workspace: &Workspace, project: banneret_compiler::api::ProjectId) -> Pack {
    workspace.build(project).unwrap_or_else(|e| panic!("{e:#?}"))
}

/// The pack of a folder of `content/`.
pub fn content(system: &str) -> Pack {
    let root = house().join("content").join(system);
    let name = shown(&root);
    let manifest = Manifest::read(&text(&root.join("banneret.ron")), "banneret.ron").unwrap_or_else(|e| panic!("{e:?}"));
    let files = below(&root, ".banner").iter().map(|path| (shown(path), text(path))).collect();
    let mut workspace = Workspace::new();
    let project = workspace.open(manifest, name, files);
    built(&workspace, project)
}

pub fn loaded(system: &str) -> Loaded {
    Loaded::new(content(system)).unwrap_or_else(|e| panic!("{system}: {e}"))
}

/// Every scenario of a pack, by name.
pub fn scenarios(pack: &Loaded) -> Vec<CardId> {
    let kind = pack.scenario_kind.expect("the game takes a scenario");
    let mut all: Vec<(String, CardId)> = (0u32..)
        .zip(&pack.cards)
        .filter(|(_, card)| !card.template && card.holder.is_none() && pack.kinds[card.kind.index()].is.contains(&kind))
        .map(|(i, card)| (pack.text(card.name).to_owned(), CardId(i)))
        .collect();
    all.sort();
    all.into_iter().map(|(_, card)| card).collect()
}

pub fn start(pack: &Loaded, scenario: CardId) -> Machine {
    let mut machine = Machine::new(pack, pack.seats(), Limits::default()).expect("a world");
    machine.start_game(pack, Some(scenario)).expect("a game");
    machine
}

/// Plays at random to the end; gives the answers. Panics if the game does not end as games do.
pub fn play(machine: &mut Machine, pack: &Loaded, seed: u64, mut at_question: impl FnMut(&Machine, &[Answer])) -> Vec<Answer> {
    let mut generator = Generator::new(seed);
    let mut answers = Vec::new();
    loop {
        let question = match machine.run(pack) {
            Step::Asked(question) => question,
            Step::Done(_) => return answers,
            Step::Fault(fault) => {
                panic!("seed {seed}, answer {}: {fault} at {:?}", answers.len(), fault.site.map(|s| &pack.sites[s.index()]))
            }
        };
        assert!(answers.len() < 20_000, "seed {seed}: the game does not end");
        at_question(machine, &answers);
        let given = (0..200).find_map(|attempt| {
            let answer = random_answer(machine, pack, &mut generator, &question, attempt);
            machine.answer(pack, answer.clone()).is_ok().then_some(answer)
        });
        answers.push(given.unwrap_or_else(|| panic!("seed {seed}: no answer to {}", question.describe(pack, &machine.world))));
    }
}
