//! The list of commands in `docs/cli.md`, made from the command itself, so that the page cannot say anything else.
//!
//! Only for tests: one compares the page with the list, and writes it anew if the environment variable `BANNERET_WRITE` is set.

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};

use crate::args::Cli;

const START: &str = "<!-- made from the command: BANNERET_WRITE=1 cargo test -p banneret reference -->\n";
const END: &str = "<!-- up to here -->\n";

/// What stands between the two marks.
fn commands() -> String {
    let mut root = Cli::command();
    root.build();
    let mut out = String::from("\nWith every command:\n\n");
    table(&mut out, root.get_arguments());
    for command in root.get_subcommands().filter(|c| c.get_name() != "help") {
        section(&mut out, command);
    }
    out
}

fn section(out: &mut String, command: &Command) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage: ");
    let _ = write!(out, "\n### {}\n\n{}\n\n```text\n{usage}\n```\n\n", command.get_name(), paragraphs(&about));
    table(out, command.get_arguments().filter(|a| !a.is_global_set()));
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    match after.split_once(":\n") {
        Some((_, examples)) => {
            let lines: Vec<&str> = examples.lines().map(str::trim).collect();
            let _ = write!(out, "\n```text\n{}\n```\n", lines.join("\n"));
        }
        None if !after.is_empty() => {
            let _ = write!(out, "\n{after}\n");
        }
        None => {}
    }
}

/// The first line of a long text is a heading without a full stop.
fn paragraphs(about: &str) -> String {
    let mut paragraphs: Vec<String> = about.split("\n\n").map(|p| p.trim().to_owned()).collect();
    if let Some(first) = paragraphs.first_mut()
        && !first.ends_with('.')
    {
        first.push('.');
    }
    paragraphs.join("\n\n")
}

fn table<'a>(out: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    let rows: Vec<String> = arguments.filter(|a| !matches!(a.get_id().as_str(), "help" | "version")).map(row).collect();
    if !rows.is_empty() {
        let _ = write!(out, "| option | means |\n|---|---|\n{}", rows.concat());
    }
}

fn row(arg: &Arg) -> String {
    let mut names: Vec<String> = arg.get_short().map(|s| format!("-{s}")).into_iter().collect();
    names.extend(arg.get_long().map(|l| format!("--{l}")));
    let takes = arg.get_action().takes_values();
    let value = match arg.get_value_names() {
        Some([name, ..]) if takes => name.to_string(),
        _ => String::new(),
    };
    let name = match names.is_empty() {
        true => value,
        false => format!("{} {value}", names.join("`, `")).trim_end().to_owned(),
    };
    let mut means = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = arg.get_possible_values().iter().filter(|v| !v.is_hide_set()).map(possible).collect();
    if takes && !values.is_empty() {
        let _ = write!(means, ": {}", values.join("; "));
    }
    let usual: Vec<String> = arg.get_default_values().iter().map(|v| format!("`{}`", v.to_string_lossy())).collect();
    if takes && !usual.is_empty() {
        let _ = write!(means, " (without it: {})", usual.join(", "));
    }
    let means = means.trim_start_matches(": ").replace('\n', " ").replace('|', "\\|");
    format!("| `{name}` | {means} |\n")
}

fn possible(value: &clap::builder::PossibleValue) -> String {
    match value.get_help() {
        Some(help) => format!("`{}`, {}", value.get_name(), lower(&help.to_string())),
        None => format!("`{}`", value.get_name()),
    }
}

/// As it stands within a sentence; words all in capitals stay.
fn lower(words: &str) -> String {
    let second = words.chars().nth(1);
    match words.chars().next() {
        Some(first) if second.is_none_or(|c| !c.is_uppercase()) => first.to_lowercase().chain(words.chars().skip(1)).collect(),
        _ => words.to_owned(),
    }
}

mod tests {
    use super::*;

    #[test]
    fn the_reference_of_the_command_line_is_what_the_command_takes() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cli.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(START).expect("the page has the mark where the list starts");
        let (there, after) = rest.split_once(END).expect("the page has the mark where the list ends");
        let wanted = commands() + "\n";
        if std::env::var_os("BANNERET_WRITE").is_some() {
            std::fs::write(&path, format!("{before}{START}{wanted}{END}{after}")).unwrap();
        } else {
            assert!(
                there == wanted,
                "docs/cli.md is not up to date. Run: BANNERET_WRITE=1 cargo test -p banneret reference\n\nIt should say:\n{wanted}"
            );
        }
    }

    #[test]
    fn every_command_and_every_option_is_explained() {
        let mut root = Cli::command();
        root.build();
        for command in root.get_subcommands() {
            assert!(command.get_about().is_some(), "{} says nothing about itself", command.get_name());
            for arg in command.get_arguments().filter(|a| !a.is_positional()) {
                assert!(arg.get_help().is_some(), "{} --{} says nothing about itself", command.get_name(), arg.get_id());
            }
        }
    }
}
