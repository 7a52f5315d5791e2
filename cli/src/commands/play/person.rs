//! A person at the terminal: the question with its options numbered, and what was typed.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

use super::names::{Names, spaced};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub enum Reply {
    Answer(Answer),
    /// Show how things stand.
    State,
    /// Show what one of the options is.
    Explain(usize),
    /// Show what one of the options may lead to, or all of them.
    Odds(Option<usize>),
    Undo,
    Save(PathBuf),
    /// Nothing more will be typed.
    End,
}

/// Prints a question and reads until the line makes sense.
pub fn ask(names: &Names<'_>, question: &Question, terminal: &Terminal, input: &mut dyn BufRead, out: &mut Out) -> Result<Reply, Trouble> {
    let options = options(names, question);
    writeln!(out, "{}", terminal.bold(&headline(names, question)))?;
    if !matches!(question.ask, Ask::YesNo) {
        for (i, option) in options.iter().enumerate() {
            writeln!(out, "  {:>2}  {option}", i + 1)?;
        }
    }
    loop {
        write!(out, "> ")?;
        out.flush()?;
        let mut line = String::new();
        let read = input.read_line(&mut line).map_err(|e| Trouble::new(format!("Cannot read what you type: {e}.")))?;
        if read == 0 {
            writeln!(out)?;
            return Ok(Reply::End);
        }
        match line.trim() {
            "?" => return Ok(Reply::State),
            "undo" => return Ok(Reply::Undo),
            "quit" | "exit" => return Ok(Reply::End),
            "help" => writeln!(out, "{HELP}")?,
            "odds" => return Ok(Reply::Odds(None)),
            typed if command(typed, "save").is_some_and(|file| !file.is_empty()) => {
                return Ok(Reply::Save(PathBuf::from(command(typed, "save").unwrap_or_default())));
            }
            typed if option_of(&options, command(typed, "?")).is_some() => {
                return Ok(Reply::Explain(option_of(&options, command(typed, "?")).unwrap_or_default()));
            }
            typed if option_of(&options, command(typed, "odds")).is_some() => {
                return Ok(Reply::Odds(option_of(&options, command(typed, "odds"))));
            }
            typed => match understood(&question.ask, &options, typed) {
                Ok(answer) => return Ok(Reply::Answer(answer)),
                Err(help) => writeln!(out, "{help}")?,
            },
        }
    }
}

const HELP: &str = "A number, several with spaces between them, or the words of an option answer the question.
  ?            how things stand
  ? 2          what the second option is
  odds, odds 2 what the options, or the second one, may lead to
  undo         takes your last answer back
  save FILE    puts the game away; `banneret play --resume FILE` goes on
  quit         ends it";

/// What is typed behind the name of a command.
fn command<'a>(typed: &'a str, name: &str) -> Option<&'a str> {
    typed.strip_prefix(name).filter(|rest| rest.starts_with(' ')).map(str::trim)
}

/// Which option is meant by a number or by its words.
fn option_of(options: &[String], words: Option<&str>) -> Option<usize> {
    let words = words?;
    match words.parse::<usize>() {
        Ok(n) => n.checked_sub(1).filter(|i| *i < options.len()),
        Err(_) => options.iter().position(|option| option.eq_ignore_ascii_case(words)),
    }
}

fn headline(names: &Names<'_>, question: &Question) -> String {
    let who = match question.secret {
        true => format!("{}, in secret", names.player(question.who)),
        false => names.player(question.who),
    };
    let what = match &question.ask {
        Ask::Choice { min, max, .. } => match (min, max) {
            (1, 1) => "choose one".to_owned(),
            (a, b) if a == b => format!("choose {a}"),
            (0, b) => format!("choose up to {b}"),
            (a, b) => format!("choose {a} to {b}"),
        },
        Ask::Menu { .. } => "choose what to do".to_owned(),
        Ask::YesNo => "yes or no".to_owned(),
        Ask::Fact { args, .. } => {
            let args: Vec<String> = args.iter().map(|v| names.value(v)).collect();
            format!("what is true on the table? ({})", args.join(", "))
        }
        Ask::Order { .. } => "in which order?".to_owned(),
        Ask::Roll { .. } | Ask::Draw { .. } => "by chance".to_owned(),
    };
    match spaced(&question.name) {
        name if name.is_empty() => format!("{who}, {what}"),
        name => format!("{who}, {name}: {what}"),
    }
}

pub fn options(names: &Names<'_>, question: &Question) -> Vec<String> {
    match &question.ask {
        Ask::Choice { options, .. } => options.iter().map(|v| names.value(v)).collect(),
        Ask::Menu { labels } => labels.iter().map(|l| spaced(l)).collect(),
        Ask::Order { triggers } => triggers.clone(),
        Ask::YesNo => vec!["yes".to_owned(), "no".to_owned()],
        _ => Vec::new(),
    }
}

/// Err: what could have been typed.
fn understood(ask: &Ask, options: &[String], typed: &str) -> Result<Answer, String> {
    let yes = match typed.to_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    };
    match ask {
        Ask::YesNo => yes.map(Answer::Yes).ok_or_else(|| "Type yes or no.".to_owned()),
        Ask::Fact { .. } => match (yes, typed.parse::<i64>()) {
            (Some(yes), _) => Ok(Answer::Value(Value::Bool(yes))),
            (None, Ok(n)) => Ok(Answer::Value(Value::Int(n))),
            _ => Err("Type yes, no or a number.".to_owned()),
        },
        Ask::Order { triggers } if typed.is_empty() => Ok(Answer::Picks((0..triggers.len() as u32).collect())),
        Ask::Choice { min, max, .. } => {
            let picks = numbers(options, typed)?;
            let n = picks.len() as u32;
            if n >= *min && n <= *max {
                return Ok(Answer::Picks(picks));
            }
            // Enter takes the only one there is.
            match (options.len(), n) {
                (1, 0) => Ok(Answer::Picks(vec![0])),
                _ if min == max => Err(format!("Choose {min}, not {n}.")),
                _ => Err(format!("Choose {min} to {max}, not {n}.")),
            }
        }
        _ => match &numbers(options, typed)?[..] {
            [] if options.len() == 1 => Ok(Answer::Picks(vec![0])),
            [] => Err(one_of(options)),
            picks => Ok(Answer::Picks(picks.to_vec())),
        },
    }
}

fn one_of(options: &[String]) -> String {
    format!("Type a number from 1 to {}; ? shows how things stand, undo goes back, help tells the rest.", options.len())
}

/// Numbers of options with spaces or commas between them, or the words of one option.
fn numbers(options: &[String], typed: &str) -> Result<Vec<u32>, String> {
    let named: Vec<u32> = (0u32..).zip(options).filter(|(_, option)| option.eq_ignore_ascii_case(typed)).map(|(i, _)| i).collect();
    if let [only] = named[..] {
        return Ok(vec![only]);
    }
    let words = typed.split([' ', ',']).filter(|word| !word.is_empty());
    words
        .map(|word| match word.parse::<u32>() {
            Ok(n) if n >= 1 && n as usize <= options.len() => Ok(n - 1),
            _ => Err(one_of(options)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(min: u32, max: u32, n: usize) -> (Ask, Vec<String>) {
        let texts: Vec<String> = (0..n).map(|i| format!("thing {i}")).collect();
        let ask = Ask::Choice { options: (0..n as i64).map(Value::Int).collect(), min, max, checked: false };
        (ask, texts)
    }

    #[test]
    fn numbers_and_words_are_understood() {
        let (ask, texts) = choice(1, 2, 3);
        let typed = |line| understood(&ask, &texts, line);
        assert_eq!(typed("1, 3"), Ok(Answer::Picks(vec![0, 2])));
        assert_eq!(typed("Thing 1"), Ok(Answer::Picks(vec![1])));
        assert!(typed("").is_err());
        assert!(typed("4").is_err());
        assert!(typed("1 2 3").is_err());
    }

    #[test]
    fn enter_takes_the_only_one() {
        let (ask, texts) = choice(1, 1, 1);
        assert_eq!(understood(&ask, &texts, ""), Ok(Answer::Picks(vec![0])));
        let (ask, texts) = choice(0, 2, 2);
        assert_eq!(understood(&ask, &texts, ""), Ok(Answer::Picks(vec![])));
    }
}
