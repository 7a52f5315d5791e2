//! `banneret explain`: the page of a code.

use std::io::Write;

use crate::Outcome;
use crate::args::Explain;
use crate::pages;
use crate::terminal::{Out, Terminal, wrapped};
use crate::trouble::Trouble;

pub fn run(args: &Explain, terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    let Some(written) = &args.code else {
        return list(terminal, out);
    };
    let code = bare(written);
    let Some(page) = pages::page(code) else {
        let near: Vec<String> = pages::suggestions(code).iter().map(|c| format!("`{c}`")).collect();
        let help = match near.is_empty() {
            true => "`banneret explain` lists every code.".to_owned(),
            false => format!("Did you mean {}?", near.join(" or ")),
        };
        return Err(Trouble::new(format!("There is no code `{code}`.")).help(help));
    };
    out.write_all(for_terminal(page, terminal).as_bytes())?;
    Ok(Outcome::Fine)
}

/// The code in `error[code]:`, or what was written.
fn bare(written: &str) -> &str {
    let inside = written.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inside.map_or(written, |(code, _)| code).trim()
}

fn list(terminal: &Terminal, out: &mut Out) -> Result<Outcome, Trouble> {
    for (code, page) in pages::all() {
        writeln!(out, "{}", terminal.bold(code))?;
        let sentence = pages::first_sentence(page);
        writeln!(out, "{}", wrapped(&format!("    {sentence}"), terminal.width))?;
    }
    Ok(Outcome::Fine)
}

/// Markdown, set for reading: headings stand out, examples are indented, paragraphs fit the width.
fn for_terminal(page: &str, terminal: &Terminal) -> String {
    let mut result = String::new();
    let mut paragraph = String::new();
    let mut fenced = false;
    for line in page.lines().chain([""]) {
        let plain = !fenced && !line.is_empty() && !line.starts_with(['#', '`', '-', '|']);
        if plain {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim());
            continue;
        }
        if !paragraph.is_empty() {
            result.push_str(&wrapped(&std::mem::take(&mut paragraph), terminal.width));
            result.push('\n');
        }
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            result.push_str(format!("    {line}").trim_end());
            result.push('\n');
        } else if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
            result.push_str(&terminal.bold(heading));
            result.push('\n');
        } else {
            result.push_str(&wrapped(line, terminal.width));
            result.push('\n');
        }
    }
    format!("{}\n", result.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_message_is_understood() {
        assert_eq!(bare("error[unclosed-brace]"), "unclosed-brace");
        assert_eq!(bare("unclosed-brace"), "unclosed-brace");
        assert_eq!(bare("[x"), "[x");
    }

    #[test]
    fn examples_are_indented_and_paragraphs_joined() {
        let terminal = Terminal { color: false, error_color: false, width: 100, interactive: false };
        let page = "# a\n\nOne\ntwo.\n\n## Wrong\n\n```banner\nunit A {\n\n}\n```\n";
        assert_eq!(for_terminal(page, &terminal), "a\n\nOne two.\n\nWrong\n\n    unit A {\n\n    }\n");
    }
}
