//! A game on paper: its answers, and what is needed to know that they belong to it.

use std::io::Write;
use std::path::Path;

use banneret_runtime::machine::Step;
use banneret_runtime::question::Answer;
use serde::{Deserialize, Serialize};

use super::log::Log;
use super::setting::Setting;
use super::table::{Ended, Next, Table};
use super::{fingerprint, result, title};
use crate::Outcome;
use crate::args::Agent;
use crate::report::counted;
use crate::sources::{files, paths::shown};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// The result of a game that was put away before its end.
pub const UNFINISHED: &str = "The game is not over.";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of Banneret that wrote it.
    pub banneret: String,
    pub project: String,
    pub scenario: Option<String>,
    pub seed: u64,
    pub agents: Vec<Agent>,
    /// Fingerprints of the rules and cards, and of the world at the end.
    pub pack: String,
    pub world: String,
    pub result: String,
    pub answers: Vec<Answer>,
}

/// Where a game went another way than the one on paper.
struct Strayed {
    /// Which answer, from 0; None: only the end differs.
    at: Option<usize>,
    words: String,
}

impl Record {
    pub fn of(table: &Table<'_>, seed: u64, result: String) -> Self {
        Self {
            banneret: env!("CARGO_PKG_VERSION").to_owned(),
            project: table.setting.project.clone(),
            scenario: table.setting.scenario_name().map(str::to_owned),
            seed,
            agents: table.agents.clone(),
            pack: table.setting.fingerprint(),
            world: fingerprint::of(&table.machine.world),
            result,
            answers: table.answers.clone(),
        }
    }

    pub fn write(&self, path: &Path) -> Result<(), Trouble> {
        let pretty = ron::ser::PrettyConfig::new().depth_limit(2).indentor("    ");
        let text = ron::ser::to_string_pretty(self, pretty).map_err(|e| Trouble::new(format!("The game cannot be written down: {e}.")))?;
        Ok(files::write(path, format!("{text}\n").as_bytes())?)
    }

    pub fn read(path: &Path) -> Result<Self, Trouble> {
        let bytes = files::read(path, files::LARGEST_SAVE).map_err(|e| Trouble::file("read", path, &e))?;
        let text = String::from_utf8_lossy(&bytes);
        ron::from_str(&text).map_err(|e| {
            Trouble::new(format!("`{}` is not a saved game: {e}.", shown(path)))
                .help("Games are saved with `banneret play PATH --save FILE`.")
        })
    }

    /// Plays the answers once more and says whether the game was the same.
    pub fn replay(&self, setting: &Setting, mut log: Log<'_>, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
        let mut table = Table::new(setting, self.agents.clone(), self.seed)?;
        table.machine.keep_notes();
        title(setting, self.seed, terminal, out)?;
        let strayed = match self.follow(&mut table, &mut log, out)? {
            Some(strayed) => {
                log.flush(out)?;
                Some(strayed)
            }
            None => self.compare_end(&mut table, &mut log, terminal, out)?,
        };
        if self.project != setting.project {
            writeln!(out, "The game was saved in the project `{}`, this is `{}`.", self.project, setting.project)?;
        } else if self.pack != setting.fingerprint() {
            writeln!(out, "Rules or cards have changed since the game was saved.")?;
        }
        let all = counted(self.answers.len(), "answer", "answers");
        let Some(strayed) = strayed else {
            writeln!(out, "The game went exactly as it was saved: {all}.")?;
            return Ok(Outcome::Fine);
        };
        let at = match strayed.at {
            Some(i) => format!("at answer {} of {}", i + 1, self.answers.len()),
            None => "at its end".to_owned(),
        };
        writeln!(out, "This is not the saved game; it strayed {at}: {}.", strayed.words)?;
        Ok(Outcome::Found)
    }

    fn follow(&self, table: &mut Table<'_>, log: &mut Log<'_>, out: &mut Out) -> Result<Option<Strayed>, Trouble> {
        for (i, answer) in self.answers.iter().enumerate() {
            let strayed = |words: String| Strayed { at: Some(i), words };
            let step = table.machine.run(&table.setting.pack);
            log.notes(&mut table.machine, out)?;
            let question = match step {
                Step::Asked(question) => question,
                Step::Done(_) => return Ok(Some(strayed("the game is over already".to_owned()))),
                Step::Fault(fault) => return Ok(Some(strayed(fault.words))),
            };
            // Numbers count the options that may be chosen, so these are what the log names.
            let question = match answer {
                Answer::Picks(_) => table.machine.listed(&table.setting.pack).cloned().unwrap_or(question),
                _ => question,
            };
            log.answered(&table.machine, &question, answer);
            if let Err(why) = table.give(answer.clone()) {
                let asked = question.describe(&table.setting.pack, &table.machine.world);
                return Ok(Some(strayed(format!("{why}, where {asked} is asked for"))));
            }
        }
        Ok(None)
    }

    fn compare_end(
        &self,
        table: &mut Table<'_>,
        log: &mut Log<'_>,
        terminal: &Terminal,
        out: &mut Out,
    ) -> Result<Option<Strayed>, Trouble> {
        let strayed = |words: String| Ok(Some(Strayed { at: None, words }));
        let ended = match self.result == UNFINISHED {
            true => {
                table.machine.run(&table.setting.pack);
                None
            }
            false => match table.next() {
                Next::Ended(ended) => Some(ended),
                _ => None,
            },
        };
        log.notes(&mut table.machine, out)?;
        log.flush(out)?;
        if let Some(ended) = &ended {
            result(table.setting, ended, log.score(&table.machine.world), terminal, out)?;
        }
        let words = ended.as_ref().map_or(UNFINISHED.to_owned(), Ended::words);
        if words != self.result {
            let saved = &self.result;
            return strayed(format!("the saved game ended with \"{saved}\", this one with \"{words}\""));
        }
        if fingerprint::of(&table.machine.world) != self.world {
            return strayed("the world is not the saved one".to_owned());
        }
        Ok(None)
    }
}
