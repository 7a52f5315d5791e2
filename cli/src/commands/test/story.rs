//! What happened in a test that failed, told as a game is told.

use banneret_runtime::hosts::scripted::{Said, say};
use banneret_runtime::limits::Limits;
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::Step;
use banneret_runtime::pack::Test;
use banneret_runtime::testing::test_world;

use crate::commands::play::log::{Detail, Log};
use crate::terminal::Terminal;

/// A test asks no more than this before it fails.
const MOST_QUESTIONS: usize = 10_000;

/// Lines with the indents of what caused them. Empty: it does not even begin.
pub fn told(pack: &Loaded, test: &Test) -> Vec<String> {
    let Ok(mut machine) = test_world(pack, test, Limits::default()) else { return Vec::new() };
    machine.keep_notes();
    let plain = Terminal::plain();
    let mut log = Log::new(pack, &plain, Detail { all: false, places: false });
    for _ in 0..MOST_QUESTIONS {
        let step = machine.run(pack);
        log.hear(&mut machine);
        let Step::Asked(question) = step else { break };
        let Said::Answer(answer) = say(&mut machine, pack, &question) else { break };
        log.answered(&machine, &question, &answer);
        if machine.answer(pack, answer).is_err() {
            break;
        }
    }
    log.hear(&mut machine);
    log.lines()
}
