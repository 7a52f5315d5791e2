//! Projects made in code, laid out.

use std::collections::HashMap;
use std::sync::Arc;

use banneret_cards::Checker;
use banneret_cards::picture::{Picture, Pictures, Unreadable};
use banneret_compiler::api::{PrintedCard, ProjectId, Workspace};
use banneret_compiler::diagnostic::{Located, Severity};
use banneret_compiler::manifest::Manifest;

/// A small rule system to print with: `LINES` go into the front.
pub const RULES: &str = r##"
ruleset yard "Yard" {
  version: "1.0"
  length inch as "
}

kind Faction (factions) is card {
  colour: Text = "#3b414b"
}

kind Unit (units) is card {
  of faction: Faction?
  points: Int 1.. = 1
  move: Length = 6"
  portrait: Picture?
  keywords: set of Keyword = []
  parts: [Weapon, Ability]
}

kind Weapon (weapons) is part {
  attacks: Int 1.. = 1
  damage: Int 1.. = 1
}

kind Ability (abilities) is part {
}

keyword Brave on Unit { says "This unit does not run away, whatever it meets" }

face front of Unit {
  size: poker
  margin: 3mm
  type: 8pt
  smallest: 6.5pt
  colour: faction.colour
  title "{name}" right "{points}"
  stats "Points {points}" "Move {move}"
  each weapons "{name}" "Attacks {attacks}" "Damage {damage}"
  rules
  reminders
  flavour
}

face back of Unit {
  side: back
  size: poker
  colour: faction.colour
  picture portrait own
  title "{name}"
}
"##;

/// Pictures by name.
#[derive(Default)]
pub struct Gallery(pub HashMap<String, Vec<u8>>);

impl Gallery {
    pub fn with(mut self, name: &str, bytes: &[u8]) -> Self {
        self.0.insert(name.to_string(), bytes.to_vec());
        self
    }
}

impl Pictures for Gallery {
    fn picture(&self, path: &str) -> Result<Arc<Picture>, Unreadable> {
        let bytes = self.0.get(path).ok_or(Unreadable::Missing)?;
        Picture::read(bytes).map(Arc::new)
    }
}

pub fn svg(colour: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 60 80\"><rect width=\"60\" height=\"80\" fill=\"{colour}\"/></svg>")
        .into_bytes()
}

/// A project of one file.
pub struct Yard {
    pub workspace: Workspace,
    pub project: ProjectId,
    pub checker: Checker,
    pub text: String,
}

const FILE: &str = "yard.banner";

impl Yard {
    pub fn new(cards: &str) -> Self {
        let text = format!("{RULES}\n{cards}\n");
        let mut workspace = Workspace::new();
        let project = workspace.open(Manifest::loose("yard"), String::new(), vec![(FILE.into(), text.clone())]);
        Self { workspace, project, checker: Checker::default(), text }
    }

    pub fn edit(&mut self, from: &str, to: &str) {
        assert!(self.text.contains(from), "{from}");
        self.text = self.text.replace(from, to);
        self.workspace.set_text(self.project, FILE, Some(self.text.clone()));
    }

    /// What a card prints; its sources are fine.
    pub fn printed(&self) -> Vec<PrintedCard> {
        let checked = self.workspace.check(self.project);
        assert!(!checked.has_errors(), "{:#?}", checked.found);
        self.workspace.printed(self.project)
    }

    pub fn check(&self, pictures: &dyn Pictures) -> Vec<Located> {
        self.checker.check(&self.printed(), pictures)
    }

    /// `code line: headline`, where the line is counted from the first line of the cards.
    pub fn said(&self, pictures: &dyn Pictures) -> Vec<String> {
        self.check(pictures).iter().map(|found| self.one_line(found)).collect()
    }

    pub fn one_line(&self, found: &Located) -> String {
        let d = &found.diagnostic;
        let line = self.text[..d.span.start as usize].matches('\n').count() - RULES.matches('\n').count();
        let severity = if d.severity == Severity::Error { "error" } else { "warning" };
        format!("{severity}[{}] {line}: {}", d.code, d.headline)
    }
}
