//! `banneret show`: what becomes of one item.

use std::io::Write;

use banneret_compiler::api::Stage;
use banneret_compiler::manifest::nearest;

use crate::Outcome;
use crate::args::{Show, ShowStage};
use crate::session::Session;
use crate::sources::find;
use crate::terminal::Out;
use crate::trouble::Trouble;

pub fn run(args: &Show, out: &mut Out) -> Result<Outcome, Trouble> {
    let session = Session::new(&find(&args.paths.paths)?)?;
    let stage = match args.stage {
        ShowStage::Source => Stage::Source,
        ShowStage::Tree => Stage::Tree,
        ShowStage::Types => Stage::Types,
        ShowStage::Bytecode => Stage::Bytecode,
        ShowStage::Text => Stage::Text,
    };
    let mut shown = 0;
    for open in &session.open {
        let found = open.id.and_then(|id| session.workspace.show(id, &args.item, stage));
        if let Some(text) = found {
            if shown > 0 {
                writeln!(out)?;
            }
            match text.trim_end() {
                "" => writeln!(out, "{} has no rules, and so no words for them.", args.item)?,
                text => writeln!(out, "{text}")?,
            }
            shown += 1;
        }
    }
    if shown > 0 {
        return Ok(Outcome::Fine);
    }
    let card = args.item.split_once('.').map(|(card, _)| card);
    let of_card = |card: &str| session.open.iter().filter_map(|o| o.id).flat_map(|id| session.workspace.parts(id, card)).collect();
    let parts: Vec<String> = card.map(of_card).unwrap_or_default();
    let items = session.open.iter().flat_map(|o| &o.project.files).flat_map(|f| names(&f.text));
    let names: Vec<&str> = if parts.is_empty() { items.collect() } else { parts.iter().map(String::as_str).collect() };
    let help = match nearest(&args.item, &names) {
        Some(near) if near != args.item => format!("Did you mean `{near}`?"),
        Some(_) => "It is there, but has nothing to show at this stage; `banneret check` may say why.".to_owned(),
        None if !parts.is_empty() => {
            format!("Its parts are {}.", parts.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", "))
        }
        None => "Name a card, keyword, action or other item as it is written in the source.".to_owned(),
    };
    Err(Trouble::new(format!("There is nothing to show for `{}`.", args.item)).help(help))
}

/// Names of items, read in a simple way: the second word of a line that starts at its left edge.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| line.starts_with(|c: char| c.is_alphabetic()))
        .filter_map(|line| line.split_whitespace().nth(1))
        .map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(word))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_items_are_found() {
        let text = "// unit No\nunit Reaver of Vow {\n  weapon Axe {}\n}\nkeyword Shield(x) on Unit {}\n";
        assert_eq!(names(text).collect::<Vec<_>>(), ["Reaver", "Shield"]);
    }
}
