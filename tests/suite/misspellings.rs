//! The first project of every rule system with one word misspelt, again and again: what is offered as the right word is right there.

use std::collections::BTreeMap;

use banneret_compiler::diagnostic::Located;
use banneret_compiler::fixes::{ROUNDS, apply, choice};
use banneret_tests::files::{below, house, shown, text};
use banneret_tests::place::place;
use banneret_tests::workbench::{Workbench, one_line, place_of, repaired};

/// From where to where, and what is written there instead.
type Edit = (usize, usize, String);

/// Words outside of comments and quotes: where they start and end.
fn words(source: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let code = line.find("//").map_or(line, |at| &line[..at]);
        let mut quoted = false;
        let mut word = None;
        for (i, c) in code.char_indices().chain([(code.len(), ' ')]) {
            // behind a digit it is an inch mark
            quoted ^= c == '"' && !code[..i].ends_with(|c: char| c.is_ascii_digit());
            match (c.is_alphabetic() || c == '_' || word.is_some() && c.is_ascii_digit(), word) {
                (true, None) if !quoted && !code[..i].ends_with(|c: char| c.is_ascii_digit()) => word = Some(i),
                (false, Some(from)) => {
                    out.push((start + from, start + i));
                    word = None;
                }
                _ => {}
            }
        }
        start += line.len();
    }
    out
}

/// As fingers do it: a letter too many, one too few, two in the wrong order, a capital.
fn misspelt(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut swapped = letters.clone();
    let middle = letters.len() / 2;
    if middle > 0 {
        swapped.swap(middle - 1, middle);
    }
    let first = letters[0];
    let other: String = if first.is_uppercase() { first.to_lowercase().collect() } else { first.to_uppercase().collect() };
    let all = [
        format!("{word}s"),
        letters[..letters.len() - 1].iter().collect(),
        swapped.iter().collect::<String>(),
        other + &letters[1..].iter().collect::<String>(),
    ];
    all.into_iter().filter(|new| new != word && !new.is_empty()).collect()
}

/// Signs outside of comments and quotes that are left out, words that stand twice, numbers in quotes.
fn slips(source: &str) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    for (start, end) in words(source) {
        let word = &source[start..end];
        out.push((start, end, format!("{word} {word}")));
    }
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let code = line.find("//").map_or(line, |at| &line[..at]);
        let mut quoted = false;
        for (i, c) in code.char_indices() {
            let at = start + i;
            let is_mark = code[..i].ends_with(|c: char| c.is_ascii_digit());
            quoted ^= c == '"' && !is_mark;
            match c {
                '"' if !is_mark => out.push((at, at + 1, String::new())),
                _ if quoted => {}
                '"' => out.push((at, at + 1, String::new())),
                ',' | ':' | '{' | '}' | '(' | ')' | '[' | ']' | '=' | '+' => out.push((at, at + 1, String::new())),
                '.' if code[i..].starts_with("..") => out.push((at, at + 2, "-".to_string())),
                '0'..='9' if !is_mark => {
                    let digits = code[i..].find(|c: char| !c.is_ascii_digit()).unwrap_or(code.len() - i);
                    let number = &code[i..i + digits];
                    out.push((at, at + digits, format!("\"{number}\"")));
                    out.push((at, at + digits, format!("-{number}")));
                    out.push((at, at + digits, format!("{number},5")));
                    out.push((at, at + digits, format!("{number}00")));
                }
                _ => {}
            }
        }
        start += line.len();
    }
    out
}

fn same(a: &Located, b: &Located) -> bool {
    (a.diagnostic.code, &a.diagnostic.headline) == (b.diagnostic.code, &b.diagnostic.headline)
}

#[test]
fn what_is_offered_for_a_misspelt_word_is_right() {
    let misspellings = |source: &str| {
        let of_word = |(start, end): (usize, usize)| misspelt(&source[start..end]).into_iter().map(move |new| (start, end, new));
        words(source).into_iter().flat_map(of_word).collect()
    };
    let (offered, wrong) = offers(&misspellings, 23);
    assert!(wrong.is_empty(), "{} of {offered}\n{}", wrong.len(), wrong.join("\n"));
    assert!(offered > 80, "only {offered} repairs are offered");
}

/// What comes out means what the correct file means, or is still wrong.
#[test]
fn no_safe_repair_changes_what_a_correct_file_means() {
    let (made, mended, wrong) = misspelt_and_mended(1_000, false);
    println!("{made} misspellings, {mended} mended");
    assert!(made >= 1_000 && mended >= 50, "{made} misspellings, {mended} mended");
    assert!(wrong.is_empty(), "{} of {mended} mean something else now:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is not called safe is not: the same comparison finds it out.
#[test]
fn repairs_that_are_not_safe_change_what_a_file_means() {
    let (made, mended, wrong) = misspelt_and_mended(300, true);
    assert!(!wrong.is_empty(), "{made} misspellings, {mended} mended");
}

/// Misspells correct files so often, also into words that are like others, and mends what is called safe, or everything: how many were made and mended, and
/// those that mean something else now.
fn misspelt_and_mended(often: usize, all_repairs: bool) -> (usize, usize, Vec<String>) {
    let (mut made, mut mended, mut wrong) = (0, 0, Vec::new());
    let starters = below(&house().join("stdlib"), "starter.banner.txt");
    let each = often.div_ceil(starters.len());
    for path in starters {
        let source = text(&path);
        let mut bench = Workbench::default();
        assert!(bench.check(&[("starter.banner", &source)]).found.is_empty(), "{}", shown(&path));
        let meant = bench.code().expect("a correct file builds");
        let of_word = |(start, end): (usize, usize)| worse(&source[start..end]).into_iter().map(move |new| (start, end, new));
        let all: Vec<Edit> = words(&source).into_iter().flat_map(of_word).collect();
        let step = (all.len() / each).max(1);
        for (start, end, new) in all.into_iter().step_by(step).take(each) {
            made += 1;
            let mut with = source.clone();
            with.replace_range(start..end, &new);
            let mut changed = false;
            for _ in 0..ROUNDS {
                let found = bench.check(&[("starter.banner", &with)]).found;
                let safe: Vec<_> = found.iter().filter_map(|l| choice(&l.diagnostic, all_repairs)).collect();
                let (after, titles) = apply(&with, &safe);
                if titles.is_empty() {
                    break;
                }
                (with, changed) = (after, true);
            }
            if !changed {
                continue;
            }
            mended += 1;
            // what is still wrong is seen by the author
            bench.check(&[("starter.banner", &with)]);
            let Some(code) = bench.code().filter(|code| *code != meant) else { continue };
            // a name that is misspelt where it is declared is its name: everything is the same but for that
            bench.check(&[("starter.banner", &renamed(&source, &source[start..end], &new))]);
            if bench.code() != Some(code) {
                wrong.push(format!("{}:{}: `{}` as `{new}`", shown(&path), place(&source, start as u32), &source[start..end]));
            }
        }
    }
    (made, mended, wrong)
}

/// A text with another word in all places of one.
fn renamed(source: &str, old: &str, new: &str) -> String {
    let mut out = source.to_owned();
    for (start, end) in words(source).into_iter().rev().filter(|(start, end)| &source[*start..*end] == old) {
        out.replace_range(start..end, new);
    }
    out
}

/// As fingers do it, and as heads do it: another letter at the start, in the middle or at the end.
fn worse(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let with = |at: usize, c: char| {
        let mut new = letters.clone();
        new[at] = c;
        new.into_iter().collect::<String>()
    };
    let (middle, last) = (letters.len() / 2, letters.len() - 1);
    let mut all = misspelt(word);
    all.extend([with(0, 'r'), with(middle, 'a'), with(last, 's')]);
    all.push(letters.iter().enumerate().filter(|(i, _)| *i != middle).map(|(_, c)| *c).collect());
    all.push(letters.iter().skip(1).collect());
    all.retain(|new| new != word && new.starts_with(|c: char| c.is_alphabetic()));
    all
}

#[test]
fn what_is_offered_for_a_slip_is_right() {
    let (offered, wrong) = offers(&slips, 37);
    // where a sign that is missing belongs cannot always be known
    assert!(wrong.len() * 33 <= offered, "{} of {offered}\n{}", wrong.len(), wrong.join("\n"));
    assert!(offered > 20, "only {offered} repairs are offered");
}

/// Makes every mistake of a kind in every starter, or one of so many, and every repair that is offered for it.
fn offers(mistakes: &dyn Fn(&str) -> Vec<Edit>, one_of: usize) -> (usize, Vec<String>) {
    let every = if std::env::var_os("BANNERET_EXHAUSTIVE").is_some() { 1 } else { one_of };
    let (mut offered, mut wrong) = (0, Vec::new());
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for path in below(&house().join("stdlib"), "starter.banner.txt") {
        let source = text(&path);
        let mut bench = Workbench::default();
        let fine = bench.check(&[("starter.banner", &source)]).found;
        assert!(fine.is_empty(), "{}: {fine:?}", shown(&path));
        for (start, end, new) in mistakes(&source).into_iter().step_by(every) {
            let mut with = source.clone();
            with.replace_range(start..end, &new);
            let found = bench.check(&[("starter.banner", &with)]).found;
            *counts.entry(found.len()).or_default() += 1;
            let at = format!("{}:{}: `{}` as `{new}`", shown(&path), place(&source, start as u32), &source[start..end]);
            if std::env::var_os("BANNERET_TOLD").is_some() && found.len() != 1 {
                let told: Vec<String> = found.iter().map(|f| one_line(f, &with)).collect();
                println!("{at}: {} messages\n    {}", found.len(), told.join("\n    "));
            }
            for mended in &found {
                for fix in &mended.diagnostic.fixes {
                    offered += 1;
                    let after = repaired(&with, fix);
                    let left = bench.check(&[("starter.banner", &after)]).found;
                    // other lines may have other troubles, and this one the same trouble elsewhere
                    let line = place_of(mended, &with).line;
                    let in_line = |all: &[Located], source: &str| {
                        all.iter().filter(|l| place_of(l, source).line == line).cloned().collect::<Vec<_>>()
                    };
                    let (before, left) = (in_line(&found, &with), in_line(&left, &after));
                    let often = |all: &[Located], one: &Located| all.iter().filter(|l| same(l, one)).count();
                    // a word that is missing is told once
                    let word =
                        |l: &Located, source: &str| source[l.diagnostic.span.start as usize..l.diagnostic.span.end as usize].to_string();
                    let same_word =
                        |l: &Located| word(l, &after) == word(mended, &with) && l.diagnostic.span.start != mended.diagnostic.span.start;
                    let is_new =
                        |l: &&Located| !same_word(l) && (often(&before, l) == 0 || same(l, mended) && often(&left, l) >= often(&before, l));
                    let new: Vec<&Located> = left.iter().filter(is_new).collect();
                    if !new.is_empty() {
                        let told: Vec<String> = new.iter().map(|l| one_line(l, &after)).collect();
                        wrong.push(format!("{at}: {}\n  after \"{}\"\n    {}", one_line(mended, &with), fix.title, told.join("\n    ")));
                    }
                }
            }
        }
    }
    println!("{offered} repairs; messages at once: {counts:?}");
    (offered, wrong)
}
