//! `banneret new`: a project to start from.

mod guide;

use std::io::Write;
use std::path::Path;

use banneret_compiler::manifest::{FILE_NAME, nearest};
use banneret_compiler::stdlib;

use crate::Outcome;
use crate::args::New;
use crate::sources::files;
use crate::sources::paths::shown;
use crate::terminal::Out;
use crate::trouble::Trouble;

/// What a rule system brings as the first file of a project.
const STARTER: &str = "starter.banner.txt";
/// The folder of the pictures that file names.
const STARTER_ART: &str = "starter_art/";

pub fn run(args: &New, out: &mut Out) -> Result<Outcome, Trouble> {
    let path = &args.name;
    let name = project_name(path)?;
    let (rules, version) = match &args.rules {
        Some(rules) => (rules.clone(), known_version(rules)?),
        None => (name.replace('-', "_"), Some("0.1")),
    };
    let taken = files::list(path).map_or_else(|_| files::is_link(path) || files::kind(path).is_ok(), |entries| !entries.is_empty());
    if taken {
        return Err(Trouble::new(format!("`{}` is already there.", shown(path)))
            .help("Choose another name, or remove it first; nothing was changed."));
    }
    files::make_folder(path)?;
    let source = format!("{}.banner", name.replace('-', "_"));
    let sources = match &args.rules {
        Some(rules) => vec![(source.clone(), starter(rules))],
        None if args.ruleset => guide::files(&rules, &title(&rules)),
        None => vec![(source.clone(), own_rules(&rules))],
    };
    files::write_in(path, &path.join(FILE_NAME), manifest(&name, &rules, version).as_bytes())?;
    for (source, text) in &sources {
        files::write_in(path, &path.join(source), text.as_bytes())?;
    }
    if let Some(rules) = &args.rules {
        write_pictures(rules, &path.join("art"))?;
    }
    files::write_in(path, &path.join(".gitignore"), b"/target/\n/cards/\n")?;

    let folder = shown(path);
    writeln!(out, "Made the project {folder} for the rules {rules}.")?;
    writeln!(out, "Write in {folder}/{source}, then run: banneret check {folder}")?;
    Ok(Outcome::Fine)
}

fn project_name(path: &Path) -> Result<String, Trouble> {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.starts_with(char::is_alphabetic) && name.chars().all(plain) {
        return Ok(name.to_owned());
    }
    Err(Trouble::new(format!("`{}` cannot be a project's name.", path.display()))
        .help("A name starts with a letter and is made of letters, digits, `_` and `-`."))
}

fn known_version(rules: &str) -> Result<Option<&'static str>, Trouble> {
    let systems = stdlib::rule_systems();
    if systems.contains(&rules) {
        return Ok(stdlib::library(rules).and_then(|library| library.version()));
    }
    let help = match nearest(rules, &systems) {
        Some(near) => format!("Did you mean `{near}`?"),
        None if systems.is_empty() => "Leave --rules out to start with rules of your own.".to_owned(),
        None => format!("The rule systems are {}.", systems.join(", ")),
    };
    Err(Trouble::new(format!("There is no rule system called `{rules}`.")).help(help))
}

fn manifest(name: &str, rules: &str, version: Option<&str>) -> String {
    let version = version.map_or(String::new(), |v| format!(" rules_version: \"{v}\","));
    format!(
        "// What this project is. Folders are relative to this file.\n\
         (\n    name: \"{name}\", version: \"0.1.0\",\n    rules: \"{rules}\",{version}\n    \
         // sources: [\".\"],    where the .banner files are\n    \
         // cards: \"cards\",    where cards are printed to\n    \
         // art: \"art\",        where pictures come from\n)\n"
    )
}

/// The rule system's own first file, or one that only says how to go on.
fn starter(rules: &str) -> String {
    if let Some(text) = stdlib::library(rules).and_then(|library| library.file(STARTER)) {
        return text.to_owned();
    }
    format!(
        "use {rules}\n\n\
         // Write your cards here. A card starts at the left edge with the word for its kind and its name,\n\
         // and its lines are indented:\n\
         //\n\
         //   unit Recruit \"Fresh Recruit\" {{\n\
         //     points: 10\n\
         //   }}\n"
    )
}

/// The pictures of the cards in that file, for rule systems that ask for some.
fn write_pictures(rules: &str, folder: &Path) -> Result<(), Trouble> {
    let Some(library) = stdlib::library(rules) else { return Ok(()) };
    let start = format!("{}/{STARTER_ART}", library.name);
    for (path, text) in library.files() {
        if let Some(name) = path.strip_prefix(&start) {
            files::make_folder(folder)?;
            files::write_in(folder, &folder.join(name), text.as_bytes())?;
        }
    }
    Ok(())
}

/// A project that brings its own rules.
fn own_rules(rules: &str) -> String {
    format!(
        "/// Rules of your own. A rule system says which kinds of cards there are.\n\
         ruleset {rules} \"{}\" {{\n  version: \"0.1\"\n}}\n\n\
         /// What every unit has.\n\
         kind Unit (units) is card {{\n  points: Int 1..\n  health: Int 1..\n}}\n\n\
         /// The first card: change it, copy it, and run `banneret check`.\n\
         unit Recruit \"Fresh Recruit\" {{\n  points: 10\n  health: 3\n}}\n",
        title(rules)
    )
}

/// How a name is printed: `my_game` is My Game.
fn title(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use banneret_compiler::manifest::Manifest;

    #[test]
    fn the_manifest_can_be_read() {
        let read = Manifest::parse(&manifest("my-game", "skirmish", Some("1.9")), FILE_NAME);
        assert!(read.is_ok_and(|m| m.name == "my-game" && m.rules_version.as_deref() == Some("1.9")));
    }

    #[test]
    fn names_are_plain() {
        assert!(project_name(Path::new("a/b_c-1")).is_ok());
        for bad in ["", "a b", "1a", "..", "/", ".x"] {
            assert!(project_name(Path::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn own_rules_have_a_title() {
        assert!(own_rules("my_game").contains("ruleset my_game \"My Game\" {"));
    }
}
