//! Help by intent: every recipe of every rule system compiles and its proof passes, and wishes in a designer's own words lead to the
//! right ones.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod project;

use banneret_compiler::api::Workspace;
use banneret_compiler::recipes::Book;
use banneret_tests::files::house;
use project::Bench;

fn books() -> Vec<Book> {
    Workspace::new().all_books().to_vec()
}

#[test]
fn every_recipe_compiles_and_is_proved() {
    let mut complaints = Vec::new();
    let mut proved = 0;
    for book in books() {
        assert!(!book.verbs.is_empty() && !book.frame.is_empty(), "{}: no verbs or no frame", book.system);
        let mut bench = Bench::default();
        for recipe in &book.recipes {
            let outcome = bench.run(&vec![("recipe.banner".to_string(), book.source(recipe))]);
            let wrong = outcome.said.iter().filter(|s| s.severity == "error");
            complaints.extend(wrong.map(|s| format!("{}: {}: {s}", book.system, recipe.title)));
            proved += outcome.passed;
        }
        for recipe in &book.recipes {
            let says_something = recipe.proof.lines().any(|line| line.trim_start().starts_with("expect ") && line.trim() != "expect true");
            if !says_something || recipe.words.is_empty() || recipe.code.is_empty() {
                complaints.push(format!("{}: {}: no words, no lines or no proof", book.system, recipe.title));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(proved >= 120, "only {proved} recipes");
    assert_eq!(proved, books().iter().map(|b| b.recipes.len()).sum::<usize>());
}

/// A proof that passes without its recipe proves nothing.
#[test]
fn no_proof_passes_without_its_recipe() {
    let mut idle = Vec::new();
    let mut bench = Bench::default();
    for book in books() {
        for recipe in &book.recipes {
            // an ability that is used cannot be used without what it does: what is left out is what the machine answers by itself
            if !["before ", "after ", "instead of ", "grant ", "cannot ", "at "].iter().any(|w| recipe.code.starts_with(w)) {
                continue;
            }
            let empty = banneret_compiler::recipes::Recipe { code: String::new(), ..recipe.clone() };
            let outcome = bench.run(&vec![("recipe.banner".to_string(), book.source(&empty))]);
            if outcome.passed == 1 {
                idle.push(format!("{}: {}", book.system, recipe.title));
            }
        }
    }
    assert!(idle.is_empty(), "proofs that pass without their recipes:\n{}", idle.join("\n"));
}

/// `tests/wishes.md`: for each rule system, lines `wish -> title of the recipe that answers it`.
#[test]
fn wishes_lead_to_recipes() {
    let text = std::fs::read_to_string(house().join("tests/wishes.md")).expect("the list of wishes");
    let books = books();
    let (mut system, mut asked, mut answered, mut missed) = (None, 0, 0, Vec::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            system = books.iter().find(|b| b.system == name.trim());
        }
        let Some((wish, title)) = line.strip_prefix("- ").and_then(|l| l.split_once(" -> ")) else { continue };
        let book = system.expect("a rule system with recipes");
        asked += 1;
        let found = book.find(wish);
        if found.iter().take(3).any(|(_, r)| r.title == title) {
            answered += 1;
        } else {
            missed.push(format!("{}: {wish} -> {title}, found {:?}", book.system, found.first().map(|(_, r)| &r.title)));
        }
    }
    assert!(asked >= 165, "only {asked} wishes");
    assert!(answered * 100 >= asked * 80, "{answered} of {asked}:\n{}", missed.join("\n"));
    // what is known not to be answered is written down as such
    assert!(missed.len() <= asked / 5, "{}", missed.join("\n"));
}

/// `docs/how.md` is made from the recipes: `BANNERET_WRITE=1 cargo test -p banneret-tests --test how page`.
#[test]
fn the_page_of_all_recipes_is_up_to_date() {
    let mut page = String::from(
        "# How do I say …?\n\nLook for what you want, in the rule system you write for; the search of the book and `banneret how WORDS` look here too. \
         Every recipe is compiled and proved by a test. Its lines stand in an ability, unless it says otherwise.\n",
    );
    for book in books() {
        page.push_str(&format!("\n## {}\n", book.system));
        for recipe in &book.recipes {
            let stands = match recipe.stands {
                banneret_compiler::recipes::Stands::Ability => "",
                banneret_compiler::recipes::Stands::Card => " In the card itself.",
                banneret_compiler::recipes::Stands::File => " At the left edge.",
            };
            let note = format!("{}{stands}", recipe.note);
            let note = if note.is_empty() { String::new() } else { format!("{}\n\n", note.trim()) };
            let (title, words, code) = (&recipe.title, recipe.words.join(", "), &recipe.code);
            page.push_str(&format!("\n### {title}\n\n*{words}*\n\n{note}```banner-lines\n{code}\n```\n"));
        }
    }
    let path = house().join("docs/how.md");
    if std::env::var_os("BANNERET_WRITE").is_some() {
        std::fs::write(&path, &page).expect("docs/how.md");
    }
    assert!(
        std::fs::read_to_string(&path).is_ok_and(|text| text == page),
        "docs/how.md is out of date: BANNERET_WRITE=1 cargo test -p banneret-tests --test how page"
    );
}
