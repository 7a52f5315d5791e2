//! What happened, told line by line and indented by what caused it. An event is told once something comes of it: a roll, a choice, a change that can be seen.

use std::io::Write;

use banneret_runtime::ids::{BundleId, SiteId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Note, Noted};
use banneret_runtime::pack::FieldRole;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;
use banneret_runtime::world::World;

use super::names::{Names, spaced};
use super::sentence::{event, said};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Everything, bookkeeping too.
    pub all: bool,
    /// Everything, with the line of the source that did it.
    pub places: bool,
}

pub struct Log<'a> {
    pack: &'a Loaded,
    terminal: &'a Terminal,
    detail: Detail,
    /// Events that are open, outermost first.
    open: Vec<Open>,
}

struct Open {
    level: u32,
    is_phase: bool,
    /// None once it is told.
    words: Option<String>,
}

impl<'a> Log<'a> {
    pub fn new(pack: &'a Loaded, terminal: &'a Terminal, detail: Detail) -> Self {
        Self { pack, terminal, detail, open: Vec::new() }
    }

    /// The game goes on from somewhere else.
    pub fn forget(&mut self) {
        self.open.clear();
    }

    fn everything(&self) -> bool {
        self.detail.all || self.detail.places
    }

    /// Tells what the machine noted since the last time.
    pub fn notes(&mut self, machine: &mut Machine, out: &mut Out) -> Result<(), Trouble> {
        for note in machine.take_notes() {
            self.note(&machine.world, &note, out)?;
        }
        Ok(())
    }

    fn note(&mut self, world: &World, note: &Note, out: &mut Out) -> Result<(), Trouble> {
        let names = Names { pack: self.pack, world };
        let place = self.place(note.site);
        match &note.what {
            Noted::Event { action, values } => {
                let described = self.pack.actions.get(action.index());
                let is_phase = described.is_some_and(|a| a.is_phase);
                let words = event(&names, *action, values);
                let words = match is_phase {
                    true => self.terminal.bold(&words),
                    false => words,
                };
                self.close(note.level);
                self.open.push(Open { level: note.level, is_phase, words: Some(format!("{words}{place}")) });
                if self.everything() {
                    self.tell_open(note.level + 1, out)?;
                }
            }
            Noted::Rule { bundle, this } => {
                if self.everything() {
                    let whose = match world.get(*this) {
                        Some(_) => names.object(*this),
                        None => self.rule_name(*bundle),
                    };
                    self.line(note.level, &format!("because of {whose}:{place}"), out)?;
                }
            }
            Noted::Changed { of, field, before, after } => {
                let numbers = matches!((before, after), (Value::Int(_), Value::Int(_)));
                let field_of = self.pack.fields.get(field.index());
                let resource = field_of.is_some_and(|f| f.role == FieldRole::Resource);
                // What a phase itself writes down is who has had their turn, and the like.
                let kept_book = self.in_phase(note.level) && !resource;
                if !self.everything() && (!numbers || kept_book) {
                    return Ok(());
                }
                let words =
                    format!("{}: {} {} → {}{place}", names.object(*of), names.field(*field), names.value(before), names.value(after));
                self.line(note.level, &words, out)?;
            }
            Noted::Done => self.tell_open(note.level, out)?,
        }
        Ok(())
    }

    /// What was asked and what was answered, unless nobody needs to know.
    pub fn answered(&mut self, machine: &Machine, question: &Question, answer: &Answer, out: &mut Out) -> Result<(), Trouble> {
        let names = Names { pack: self.pack, world: &machine.world };
        if matches!(question.ask, Ask::Fact { .. }) && !self.everything() {
            return Ok(());
        }
        let who = names.player(question.who);
        let what = match spaced(&question.name) {
            name if name.is_empty() => String::new(),
            name => format!(" ({name})"),
        };
        let words = match question.ask {
            Ask::Roll { .. } => format!("{who} rolls {}", said(&names, question, answer)),
            _ => format!("{who}{what}: {}", said(&names, question, answer)),
        };
        let place = self.place(question.site);
        self.line(machine.level(), &format!("{words}{place}"), out)
    }

    /// Events at this level and inside of it are over.
    fn close(&mut self, level: u32) {
        while self.open.last().is_some_and(|open| open.level >= level) {
            self.open.pop();
        }
    }

    fn in_phase(&self, level: u32) -> bool {
        let around = self.open.iter().rev().find(|open| open.level < level);
        around.is_some_and(|open| open.is_phase)
    }

    /// Tells the events around something that is to be told.
    fn tell_open(&mut self, level: u32, out: &mut Out) -> Result<(), Trouble> {
        self.close(level);
        for open in &mut self.open {
            if let Some(words) = open.words.take() {
                print(open.level, &words, out)?;
            }
        }
        Ok(())
    }

    fn line(&mut self, level: u32, words: &str, out: &mut Out) -> Result<(), Trouble> {
        self.tell_open(level, out)?;
        print(level, words, out)
    }

    fn place(&self, site: Option<SiteId>) -> String {
        let site = site.and_then(|id| self.pack.sites.get(id.index()));
        match site {
            Some(site) if self.detail.places && site.line > 0 => {
                format!("  [{}:{}]", self.pack.text(site.file), site.line)
            }
            _ => String::new(),
        }
    }

    /// The last part of its path, without what only the source knows.
    fn rule_name(&self, bundle: BundleId) -> String {
        let bundle = self.pack.bundles.get(bundle.index());
        let name = bundle.map_or("", |b| self.pack.text(b.name));
        match name.rsplit('/').next().unwrap_or(name) {
            "" => "a rule of the game".to_owned(),
            short => spaced(short),
        }
    }
}

fn print(level: u32, words: &str, out: &mut Out) -> Result<(), Trouble> {
    let indent = "  ".repeat(level.min(20) as usize);
    writeln!(out, "{indent}{words}")?;
    Ok(())
}
