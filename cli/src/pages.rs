//! The pages of `docs/diagnostics/`, one for each code. Their form is written down in the README there.

use banneret_compiler::manifest::nearest;

/// Code and text, sorted by code.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub fn all() -> &'static [(&'static str, &'static str)] {
    PAGES
}

pub fn page(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

/// The first sentence of a page: what stands below its heading, up to the first full stop that ends a sentence.
pub fn first_sentence(text: &str) -> String {
    let paragraph: Vec<&str> = text
        .lines()
        .skip_while(|line| line.starts_with('#') || line.trim().is_empty())
        .take_while(|line| !line.trim().is_empty())
        .map(str::trim)
        .collect();
    let paragraph = paragraph.join(" ");
    match paragraph.find(". ") {
        Some(end) => paragraph.chars().take(paragraph[..end].chars().count() + 1).collect(),
        None => paragraph,
    }
}

/// Codes that may have been meant: those that hold the word, else the most alike one.
pub fn suggestions(code: &str) -> Vec<&'static str> {
    let codes: Vec<&'static str> = PAGES.iter().map(|(code, _)| *code).collect();
    let word = code.trim().to_lowercase();
    let mut found: Vec<&'static str> = nearest(&word, &codes).into_iter().collect();
    for known in codes {
        if !word.is_empty() && (known.contains(&word) || word.contains(known)) && !found.contains(&known) {
            found.push(known);
        }
    }
    found.truncate(5);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_the_form_the_readme_asks_for() {
        assert!(!all().is_empty());
        for (code, text) in all() {
            assert!(text.starts_with(&format!("# {code}\n")), "{code}: the heading is not the code");
            assert!(first_sentence(text).ends_with('.'), "{code}: there is no first sentence");
            for heading in ["\n## Wrong\n", "\n## Right\n"] {
                let Some((_, section)) = text.split_once(heading) else {
                    panic!("{code}: no {}", heading.trim());
                };
                let section = section.split("\n## ").next().unwrap_or_default();
                assert_eq!(section.matches("```").count() % 2, 0, "{code}: an open fence");
                assert!(section.contains("```"), "{code}: {} without an example", heading.trim());
            }
        }
    }

    #[test]
    fn a_sentence_ends_at_its_full_stop() {
        assert_eq!(first_sentence("# a\n\nOne `x.y`\nline. Two.\n\nThree."), "One `x.y` line.");
        assert_eq!(first_sentence("# a"), "");
    }
}
