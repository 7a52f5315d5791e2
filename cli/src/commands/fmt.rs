//! `banneret fmt`: lays files out neatly.

use std::io::{Read, Write};
use std::path::PathBuf;

use similar::TextDiff;

use crate::Outcome;
use crate::args::Fmt;
use crate::report::counted;
use crate::sources::files;
use crate::sources::paths::{absolute, shown};
use crate::sources::project::read_source;
use crate::sources::walk::{Walk, is_source};
use crate::terminal::Out;
use crate::trouble::Trouble;

pub fn run(args: &Fmt, out: &mut Out) -> Result<Outcome, Trouble> {
    if args.stdin {
        return stdin(args, out);
    }
    let files = files(&args.paths.paths)?;
    let mut changed = 0;
    let mut broken = 0;
    for (root, path) in &files {
        let source = read_source(root, path)?;
        if source.not_utf8.is_some() {
            broken += 1;
            writeln!(out, "{}: error[not-utf8]: This file is not UTF-8 text.", source.shown)?;
            continue;
        }
        let neat = banneret_grammar::format(&source.text);
        if neat == source.text {
            continue;
        }
        changed += 1;
        if args.diff {
            diff(out, &source.shown, &source.text, &neat)?;
        } else if args.check {
            writeln!(out, "{}: not neat", source.shown)?;
        } else {
            files::write_in(root, path, neat.as_bytes())?;
            writeln!(out, "{}: made neat", source.shown)?;
        }
    }
    let looked = args.check || args.diff;
    let all = counted(files.len(), "file", "files");
    match (changed, looked) {
        (0, _) if broken == 0 => writeln!(out, "Everything is neat: {all}.")?,
        (n, true) => writeln!(out, "{n} of {all} not neat.")?,
        (n, false) => writeln!(out, "Made {n} of {all} neat.")?,
    }
    let found = broken > 0 || (looked && changed > 0);
    Ok(if found { Outcome::Found } else { Outcome::Fine })
}

fn stdin(args: &Fmt, out: &mut Out) -> Result<Outcome, Trouble> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|e| Trouble::new(format!("Cannot read standard input: {e}.")))?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Trouble::new("Standard input is not UTF-8 text."));
    };
    let neat = banneret_grammar::format(&text);
    let found = if neat == text { Outcome::Fine } else { Outcome::Found };
    if args.diff {
        diff(out, "<stdin>", &text, &neat)?;
        return Ok(found);
    }
    if args.check {
        return Ok(found);
    }
    out.write_as_is(neat.as_bytes())?;
    Ok(Outcome::Fine)
}

/// The lines that differ, as programs that compare texts show them.
pub fn diff(out: &mut Out, name: &str, before: &str, after: &str) -> Result<(), Trouble> {
    let diff = TextDiff::from_lines(before, after);
    write!(out, "{}", diff.unified_diff().header(name, name))?;
    Ok(())
}

/// Every source named or below a folder named, each once, with the folder it has to be in. Formatting asks no project.
fn files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, PathBuf)>, Trouble> {
    let here = [PathBuf::from(".")];
    let mut files: Vec<(PathBuf, PathBuf)> = Vec::new();
    for path in if paths.is_empty() { &here } else { paths } {
        let full = absolute(path);
        if files::kind(&full).map_err(|e| Trouble::file("open", path, &e))? == files::Kind::Folder {
            files.extend(Walk::inside(&full).sources(&full, false)?.into_iter().map(|file| (full.clone(), file)));
        } else if is_source(&full) {
            files.push((full.parent().unwrap_or(&full).to_owned(), full));
        } else {
            return Err(
                Trouble::new(format!("`{}` is not a Banneret file.", shown(&full))).help("Name folders, or files that end in .banner.")
            );
        }
    }
    files.sort_by(|a, b| a.1.cmp(&b.1));
    files.dedup_by(|a, b| a.1 == b.1);
    Ok(files)
}
