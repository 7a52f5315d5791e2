//! What happened, told line by line and indented by what caused it. An event is told once something comes of it: a roll, a choice, a change that can be seen.

use std::io::Write;

use banneret_runtime::ids::{ActionId, BundleId, SiteId};
use banneret_runtime::loaded::Loaded;
use banneret_runtime::machine::{Machine, Note, Noted};
use banneret_runtime::pack::FieldRole;
use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;
use banneret_runtime::world::World;

use super::lines::{Line, What, mentions, tidied};
use super::names::{Names, spaced};
use super::score::Score;
use super::sentence::{chosen, event, parameters, said, told};
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
    /// Told, but not printed yet: lines that follow may make some of them superfluous.
    lines: Vec<Line>,
    /// How many lines came before these.
    printed: usize,
    /// Complete, and not printed yet.
    told: Vec<Line>,
    score: Score,
    /// How many rounds have begun, and the last one, until somebody asks.
    rounds: usize,
    round: Option<String>,
    /// The rule that answered last, and whose it is.
    because: Option<(SiteId, String)>,
}

/// So many lines are kept back at most.
const MOST_LINES: usize = 1000;

struct Open {
    level: u32,
    is_phase: bool,
    action: ActionId,
    site: Option<SiteId>,
    /// Lines of its own that are not told yet: several if it happens to several at once.
    waiting: Vec<Line>,
    /// Nothing has happened since.
    fresh: bool,
    /// Which lines of the log are its own, and how many of the events they tell of are over.
    own: Vec<usize>,
    over: usize,
}

impl<'a> Log<'a> {
    pub fn new(pack: &'a Loaded, terminal: &'a Terminal, detail: Detail) -> Self {
        Self {
            pack,
            terminal,
            detail,
            open: Vec::new(),
            lines: Vec::new(),
            printed: 0,
            told: Vec::new(),
            score: Score::default(),
            because: None,
            rounds: 0,
            round: None,
        }
    }

    /// The game goes on from somewhere else.
    pub fn forget(&mut self) {
        self.open.clear();
        self.because = None;
    }

    fn everything(&self) -> bool {
        self.detail.all || self.detail.places
    }

    /// Takes in what the machine noted since the last time.
    pub fn hear(&mut self, machine: &mut Machine) {
        for note in machine.take_notes() {
            self.note(&machine.world, &note);
        }
    }

    /// The same, and prints what is complete.
    pub fn notes(&mut self, machine: &mut Machine, out: &mut Out) -> Result<(), Trouble> {
        self.hear(machine);
        self.print(out)
    }

    /// The words of a round that has begun since the last time: a phase of the phase that plays the game.
    pub fn new_round(&mut self) -> Option<String> {
        self.round.take()
    }

    /// Prints what was kept back: somebody is asked something, or the game is over.
    pub fn flush(&mut self, out: &mut Out) -> Result<(), Trouble> {
        self.settle();
        self.print(out)
    }

    /// Everything that was not printed, as text.
    pub fn lines(&mut self) -> Vec<String> {
        self.settle();
        std::mem::take(&mut self.told).iter().map(|line| format!("{}{}", indent(line), line.words)).collect()
    }

    fn print(&mut self, out: &mut Out) -> Result<(), Trouble> {
        for line in std::mem::take(&mut self.told) {
            match line.what {
                What::Phase => writeln!(out, "{}{}", indent(&line), self.terminal.bold(&line.words))?,
                _ => writeln!(out, "{}{}", indent(&line), line.words)?,
            }
        }
        Ok(())
    }

    /// What was kept back is complete.
    fn settle(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        self.printed += lines.len();
        self.told.extend(if self.everything() { lines } else { tidied(lines) });
    }

    /// What the players have counted up.
    pub fn score(&self, world: &World) -> Option<String> {
        self.score.words(&Names { pack: self.pack, world })
    }

    fn note(&mut self, world: &World, note: &Note) {
        let names = Names { pack: self.pack, world };
        let place = self.place(note.site);
        match &note.what {
            Noted::Event { action, values } => self.event(&names, note, *action, values),
            Noted::Rule { bundle, this } => {
                let whose = match world.get(*this) {
                    Some(_) => names.object(*this),
                    None => self.rule_name(*bundle),
                };
                if self.everything() {
                    self.line(note.level, format!("because of {whose}:{place}"), What::Other);
                } else {
                    // A rule of the game itself needs no reason.
                    self.because = note.site.filter(|_| world.get(*this).is_some()).map(|site| (site, whose));
                }
            }
            Noted::Changed { of, field, before, after } => {
                self.score.note(&names, *of, *field, before, after);
                let numbers = matches!((before, after), (Value::Int(_), Value::Int(_)));
                let field_of = self.pack.fields.get(field.index());
                let resource = field_of.is_some_and(|f| f.role == FieldRole::Resource);
                // What a phase itself writes down is who has had their turn, and the like.
                let kept_book = self.in_phase(note.level) && !resource;
                if !self.everything() && (!numbers || kept_book) {
                    return;
                }
                let why = self.why(note.site, &[Value::Obj(*of)], &names);
                let words = format!(
                    "{}: {} {} → {}{why}{place}",
                    names.object(*of),
                    names.field(*field),
                    names.held(*field, before),
                    names.held(*field, after)
                );
                let what = What::Changed { of: *of, field: *field, before: before.clone(), after: after.clone() };
                self.line(note.level, words, what);
            }
            Noted::Done => self.tell_open(note.level),
            Noted::Over { action, values } => self.over(&names, note.level, *action, values),
        }
    }

    fn event(&mut self, names: &Names<'_>, note: &Note, action: ActionId, values: &[Value]) {
        let is_phase = self.pack.actions.get(action.index()).is_some_and(|a| a.is_phase);
        let (words, of) = event(names, action, values);
        // Whoever chose something for it reads of it here, and not in a line of its own.
        let choices = self.choices(note.level);
        let names_choice = !is_phase && choices.iter().any(|line| matches!(&line.what, What::Chosen(choice) if mentions(&words, choice)));
        let why = self.why(note.site, values, names);
        if is_phase && note.level == 1 {
            self.rounds += 1;
            self.round = Some(format!("{}: {words}", self.rounds));
        }
        let what = if is_phase { What::Phase } else { What::Event(of) };
        let given = if self.detail.places { parameters(names, action, values) } else { String::new() };
        let line = Line { level: note.level, words: format!("{words}{why}{given}{}", self.place(note.site)), what };
        // The same sentence, done to several at once.
        let goes_on =
            |open: &&mut Open| open.fresh && open.level == note.level && open.action == action && open.site == note.site && !is_phase;
        if let Some(open) = self.open.last_mut().filter(goes_on) {
            open.waiting.push(line);
        } else {
            self.close(note.level);
            if is_phase || self.lines.len() > MOST_LINES {
                // What was chosen for a phase may be in its own words.
                let before = self.lines.len() - self.choices(note.level).len();
                let choices = self.lines.split_off(before);
                self.settle();
                self.lines = choices;
            }
            self.open.push(Open {
                level: note.level,
                is_phase,
                action,
                site: note.site,
                waiting: vec![line],
                fresh: true,
                own: Vec::new(),
                over: 0,
            });
        }
        if self.everything() || names_choice {
            self.tell(note.level + 1);
        }
    }

    /// An event is over: its line says how it went, if the action has words for that.
    fn over(&mut self, names: &Names<'_>, level: u32, action: ActionId, values: &[Value]) {
        let Some(words) = told(names, action, values) else { return };
        let places = self.detail.places;
        self.tell(level + 1);
        let Some(open) = self.open.iter_mut().rev().find(|open| open.level == level && open.action == action) else { return };
        let own = open.own.get(open.over).copied();
        open.over += 1;
        open.fresh = false;
        let place = own.and_then(|at| at.checked_sub(self.printed));
        match place.and_then(|at| self.lines.get_mut(at)) {
            Some(line) => {
                // A trace shows the values it began with, and where.
                let began =
                    line.words.find("  {").or_else(|| line.words.find("  [")).map_or(String::new(), |at| line.words[at..].to_owned());
                line.words = if places { format!("{words}{began}") } else { words };
                if let What::Event(event) = &mut line.what {
                    event.is_told = true;
                    event.tells = true;
                    event.thing = None;
                }
            }
            // Somebody was asked meanwhile, and its line was printed.
            None => self.lines.push(Line { level: level + 1, words, what: What::Other }),
        }
    }

    /// The last lines: what was chosen and paid for what comes now.
    fn choices(&self, level: u32) -> &[Line] {
        let choice = |line: &&Line| line.level == level && matches!(line.what, What::Chosen(_) | What::Changed { .. });
        let count = self.lines.iter().rev().take_while(choice).count();
        self.lines.get(self.lines.len() - count..).unwrap_or_default()
    }

    /// Whose rule it is, for the first line that comes of it, unless the line speaks of them anyway.
    fn why(&mut self, site: Option<SiteId>, values: &[Value], names: &Names<'_>) -> String {
        let Some((rule, whose)) = &self.because else { return String::new() };
        if !site.is_some_and(|site| self.is_inside(site, *rule)) {
            return String::new();
        }
        let words = if values.iter().any(|value| names.value(value) == *whose) { String::new() } else { format!(" ({whose})") };
        self.because = None;
        words
    }

    /// Is one place of the source a part of another?
    fn is_inside(&self, inner: SiteId, outer: SiteId) -> bool {
        match (self.pack.sites.get(inner.index()), self.pack.sites.get(outer.index())) {
            (Some(inner), Some(outer)) => inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end,
            _ => false,
        }
    }

    /// What was asked and what was answered, unless nobody needs to know.
    pub fn answered(&mut self, machine: &Machine, question: &Question, answer: &Answer) {
        let names = Names { pack: self.pack, world: &machine.world };
        if matches!(question.ask, Ask::Fact { .. }) && !self.everything() {
            return;
        }
        let who = names.player(question.who);
        let what = match spaced(&question.name) {
            name if name.is_empty() => String::new(),
            name => format!(" ({name})"),
        };
        let words = match question.ask {
            Ask::Roll { .. } => format!("{who} rolls {}", said(&names, question, answer)),
            _ if question.secret => format!("{who}{what}: chosen in secret"),
            _ => format!("{who}{what}: {}", said(&names, question, answer)),
        };
        let kind = match question.secret {
            true => What::Other,
            false if matches!(question.ask, Ask::Roll { .. }) => What::Roll,
            false => chosen(&names, question, answer).map_or(What::Other, What::Chosen),
        };
        let place = self.place(question.site);
        self.line(machine.level(), format!("{words}{place}"), kind);
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
    fn tell_open(&mut self, level: u32) {
        self.tell(level);
        if let Some(open) = self.open.last_mut() {
            open.fresh = false;
        }
    }

    fn tell(&mut self, level: u32) {
        self.close(level);
        for open in &mut self.open {
            let first = self.printed + self.lines.len();
            open.own.extend(first..first + open.waiting.len());
            self.lines.append(&mut open.waiting);
        }
    }

    fn line(&mut self, level: u32, words: String, what: What) {
        self.tell_open(level);
        self.lines.push(Line { level, words, what });
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

fn indent(line: &Line) -> String {
    "  ".repeat(line.level.min(20) as usize)
}
