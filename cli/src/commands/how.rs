//! `banneret how`: how a wish is written, found by what it is called.

use std::io::Write;
use std::path::{Path, PathBuf};

use banneret_compiler::manifest::nearest;
use banneret_compiler::recipes::{Book, Recipe, Stands};

use crate::Outcome;
use crate::args::How;
use crate::session::Session;
use crate::sources::library::workspace;
use crate::sources::{files, find};
use crate::terminal::{Out, Terminal, wrapped};
use crate::trouble::Trouble;

/// How many answers are worth reading.
const ANSWERS: usize = 3;

pub fn run(args: &How, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let books = books(args)?;
    let wish = args.words.join(" ");
    if wish.trim().is_empty() {
        return list(&books, terminal, out);
    }
    let mut found: Vec<(f64, &Book, &Recipe)> =
        books.iter().flat_map(|book| book.find(&wish).into_iter().map(move |(score, recipe)| (score, book, recipe))).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    if found.is_empty() {
        let verbs: Vec<String> = books.iter().flat_map(|book| book.verbs.iter().cloned()).collect();
        let help = match books.as_slice() {
            [one] => format!("What cards do in {}: {}. `banneret how` lists every recipe.", one.system, verbs.join(", ")),
            _ => "Say it in other words, or look through the list: `banneret how`.".to_owned(),
        };
        return Err(Trouble::new(format!("No recipe is about \u{201c}{wish}\u{201d}.")).help(help));
    }
    let several = books.len() > 1;
    for (i, (_, book, recipe)) in found.iter().take(ANSWERS).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        show(book, recipe, several, terminal, out)?;
    }
    Ok(Outcome::Fine)
}

fn show(book: &Book, recipe: &Recipe, several: bool, terminal: &Terminal, out: &mut Out) -> Result<(), Trouble> {
    let of = if several { format!(" ({})", book.system) } else { String::new() };
    let stands = match recipe.stands {
        Stands::Ability => "in an ability",
        Stands::Card => "in the card",
        Stands::File => "at the left edge",
    };
    writeln!(out, "{}, {stands}{of}", terminal.bold(&recipe.title))?;
    for line in recipe.code.lines() {
        writeln!(out, "    {line}")?;
    }
    if !recipe.note.is_empty() {
        writeln!(out, "{}", wrapped(&recipe.note, terminal.width))?;
    }
    Ok(())
}

fn list(books: &[Book], terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    for book in books {
        writeln!(out, "{}", terminal.bold(&book.system))?;
        for recipe in &book.recipes {
            writeln!(out, "  {}", recipe.title)?;
        }
    }
    Ok(Outcome::Fine)
}

/// Of the system asked for, of the project here, or all.
fn books(args: &How) -> Result<Vec<Book>, Trouble> {
    if let Some(rules) = &args.rules {
        let all = workspace()?.all_books().to_vec();
        let names: Vec<String> = all.iter().map(|book| book.system.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(book) = all.iter().find(|book| *rules == book.system.as_str()) {
            return Ok(vec![book.clone()]);
        }
        let help = match nearest(rules, &names) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("There are recipes for {}.", names.join(", ")),
        };
        return Err(Trouble::new(format!("There are no recipes for `{rules}`.")).help(help));
    }
    if files::is_file(Path::new(banneret_compiler::manifest::FILE_NAME)) {
        let session = Session::new(&find(&[PathBuf::from(".")])?)?;
        if let Some(id) = session.open.first().and_then(|open| open.id) {
            return Ok(session.workspace.books(id).into_iter().cloned().collect());
        }
    }
    Ok(workspace()?.all_books().to_vec())
}
