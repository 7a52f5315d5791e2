//! A person at the terminal: the question with its options numbered, and what was typed.

use std::io::{BufRead, Write};

use banneret_runtime::question::{Answer, Ask, Question};
use banneret_runtime::value::Value;

use super::names::{Names, spaced};
use crate::terminal::{Out, Terminal};
use crate::trouble::Trouble;

pub enum Reply {
    Answer(Answer),
    /// Show how things stand.
    State,
    Undo,
    /// Nothing more will be typed.
    End,
}

/// Prints a question and reads until the line makes sense.
pub fn ask(names: &Names<'_>, question: &Question, terminal: &Terminal, input: &mut dyn BufRead, out: &mut Out) -> Result<Reply, Trouble> {
    let options = options(names, question);
    writeln!(out, "{}", terminal.bold(&headline(names, question)))?;
    for (i, option) in options.iter().enumerate() {
        writeln!(out, "  {:>2}  {option}", i + 1)?;
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
            typed => match understood(&question.ask, &options, typed) {
                Ok(answer) => return Ok(Reply::Answer(answer)),
                Err(help) => writeln!(out, "{help}")?,
            },
        }
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

fn options(names: &Names<'_>, question: &Question) -> Vec<String> {
    match &question.ask {
        Ask::Choice { options, .. } => options.iter().map(|v| names.value(v)).collect(),
        Ask::Menu { labels } => labels.iter().map(|l| spaced(l)).collect(),
        Ask::Order { triggers } => triggers.clone(),
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
    format!("Type a number from 1 to {}; ? shows how things stand, undo goes back.", options.len())
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
