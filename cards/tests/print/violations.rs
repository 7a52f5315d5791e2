//! Each violation is told with its code, its line and its millimetres.

use crate::support::{Gallery, Yard, svg};

fn gallery() -> Gallery {
    Gallery::default().with("a.svg", &svg("#123456")).with("b.svg", &svg("#654321"))
}

fn long(words: usize) -> String {
    vec!["Whoever"; words].join(" ")
}

#[test]
fn a_card_that_is_too_full_is_an_error_at_what_falls_off() {
    let cards = format!(
        "unit Clerk {{\n  portrait: \"a.svg\"\n  ability Short {{ says \"Nothing much.\" }}\n  ability Long {{ says \"{}\" }}\n  ability Last {{ says \"Falls off.\" }}\n}}",
        long(190)
    );
    let yard = Yard::new(&cards);
    let found = yard.check(&gallery());
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(
        yard.one_line(one),
        "error[card-too-full] 4: “Clerk” does not fit on its front: it is 27.4 mm (11 lines) too long at 6.5 pt."
    );
    let d = &one.diagnostic;
    assert_eq!(d.span.of(&yard.text), "Long");
    let also: Vec<&str> = d.also.iter().map(|(span, _)| span.of(&yard.text)).collect();
    assert_eq!(also, ["Last"], "what comes after it falls off too");
    let note = d.notes.join(" ");
    assert!(note.contains("“Short” takes 2.7 mm (1 line)") && note.contains("“Last” takes 2.7 mm (1 line)"), "{note}");
    let help = d.help.as_deref().unwrap_or_default();
    assert!(help.contains("with `says \"…\"`") && help.contains("leave out “Long”"), "{help}");
}

#[test]
fn reminders_are_the_first_thing_to_give_way() {
    // from card to card a little more text, until the reminders are what is too much
    let full = (90..200).step_by(3).find_map(|words| {
        let text = long(words);
        let cards = format!("unit Clerk {{\n  portrait: \"a.svg\"\n  keywords: [Brave]\n  ability Long {{ says \"{text}\" }}\n}}");
        let yard = Yard::new(&cards);
        let found = yard.check(&gallery());
        (!found.is_empty()).then_some((yard, found))
    });
    let (mut yard, found) = full.unwrap();
    let help = found[0].diagnostic.help.clone().unwrap_or_default();
    assert!(help.starts_with("Make the reminders `optional` in the face, which is enough"), "{help}");
    yard.edit("  reminders\n", "  reminders optional\n");
    assert!(yard.check(&gallery()).is_empty(), "and it was enough");
}

#[test]
fn a_warning_if_the_face_says_so() {
    let cards = format!("unit Clerk {{\n  portrait: \"a.svg\"\n  ability Long {{ says \"{}\" }}\n}}", long(300));
    let mut yard = Yard::new(&cards);
    yard.edit("  smallest: 6.5pt\n", "  smallest: 6.5pt\n  overflow: warning\n");
    let said = yard.said(&gallery()).remove(0);
    assert!(said.starts_with("warning[card-too-full]"), "{said}");
}

#[test]
fn flavour_is_left_out_rather_than_refused() {
    let left_out = (90..200).step_by(3).find_map(|words| {
        let text = long(words);
        let yard = Yard::new(&format!(
            "unit Clerk {{\n  portrait: \"a.svg\"\n  ability Long {{ says \"{text}\" }}\n  flavour: \"He has seen the other ledger, the one that is kept behind the first one, and says nothing.\"\n}}"
        ));
        let face = yard.printed()[0].printed.faces[0].clone();
        let verdict = banneret_cards::layout::Layouter::default().verdict(&face);
        (!verdict.left_out.is_empty()).then_some((yard, face, verdict))
    });
    let (yard, face, verdict) = left_out.unwrap();
    assert!(verdict.fits, "what was left out made room");
    assert_eq!(verdict.left_out, [face.strips.len() - 1]);
    assert_eq!(yard.said(&gallery()), Vec::<String>::new());
}

#[test]
fn pictures_that_cannot_be_shown() {
    for (picture, wanted) in [
        ("", "error[missing-picture] 1: “Clerk” has no picture, and its back has to show one."),
        ("portrait: \"c.svg\"", "error[missing-picture] 2: There is no picture “c.svg”."),
        (
            "portrait: \"bad.svg\"",
            "error[unreadable-picture] 2: The picture “bad.svg” cannot be read: it is no SVG, PNG or JPEG (not a well-formed XML document).",
        ),
        ("portrait: \"cut.png\"", "error[unreadable-picture] 2: The picture “cut.png” cannot be read: it is damaged."),
    ] {
        let yard = Yard::new(&format!("unit Clerk {{\n  {picture}\n}}"));
        let mut cut = tiny_png(40, 60);
        cut.truncate(40);
        let said = yard.said(&gallery().with("bad.svg", b"\xff\xfe nothing").with("cut.png", &cut));
        let [one] = said.as_slice() else { panic!("{said:#?}") };
        let stem = wanted.split(" (").next().unwrap_or(wanted);
        assert!(one.starts_with(stem), "{one}\n{wanted}");
    }
}

/// A real PNG of so many dots.
fn tiny_png(w: u32, h: u32) -> Vec<u8> {
    let mut map = resvg::tiny_skia::Pixmap::new(w, h).unwrap();
    map.fill(resvg::tiny_skia::Color::BLACK);
    map.encode_png().unwrap()
}

#[test]
fn a_picture_needs_enough_dots() {
    let yard = Yard::new("unit Clerk {\n  portrait: \"p.png\"\n}");
    assert_eq!(
        yard.said(&Gallery::default().with("p.png", &tiny_png(80, 100))),
        ["error[small-picture] 2: The picture “p.png” is too small to be printed sharply: it has 80 × 100 dots, and 373 × 520 are needed."]
    );
    assert_eq!(yard.said(&Gallery::default().with("p.png", &tiny_png(400, 560))), Vec::<String>::new());
}

#[test]
fn two_cards_cannot_share_a_picture() {
    let yard = Yard::new("unit Clerk {\n  portrait: \"a.svg\"\n}\nunit Guard {\n  portrait: \"copy.svg\"\n}");
    let same = gallery().with("copy.svg", &svg("#123456"));
    assert_eq!(yard.said(&same), ["error[shared-picture] 5: “Clerk” and “Guard” have the same picture."]);
    // what is shown counts, and not how it is written
    let rewritten = String::from_utf8(svg("#123456")).unwrap().replace("/>", "  />\n<!-- mine -->");
    let same = gallery().with("copy.svg", rewritten.as_bytes());
    assert_eq!(yard.said(&same), ["error[shared-picture] 5: “Clerk” and “Guard” have the same picture."]);
    let different = gallery().with("copy.svg", &svg("#999999"));
    assert_eq!(yard.said(&different), Vec::<String>::new());
}

#[test]
fn colours_words_and_letters() {
    let yard = Yard::new("faction Watch { colour: \"reddish\" }\nunit Clerk of Watch {\n  portrait: \"a.svg\"\n}");
    let said = yard.said(&gallery());
    assert!(said.iter().all(|s| s == "error[bad-colour] 2: “reddish” is no colour that can be printed."), "{said:#?}");
    assert!(!said.is_empty());
    let word = "Donaudampfschifffahrtsgesellschaftskapitänswitwenverein".repeat(2);
    let yard = Yard::new(&format!("unit Clerk {{\n  portrait: \"a.svg\"\n  ability Name {{ says \"{word}\" }}\n}}"));
    let said = yard.said(&gallery());
    assert!(said.len() == 1 && said[0].starts_with("warning[word-too-wide] 1: “Donaudampfschifffahrtsgesellsc…”"), "{said:#?}");
    let yard = Yard::new("unit Clerk {\n  portrait: \"a.svg\"\n  ability Name { says \"Pays 円.\" }\n}");
    assert!(yard.said(&gallery())[0].starts_with("warning[unprintable-letter] 1: The letters on cards have no `円`"));
    let yard = Yard::new("unit Clerk \"שלום\" {\n  portrait: \"a.svg\"\n  ability Name \"مرحبا\" { says \"Pays 🪙 ☠.\" }\n}");
    assert_eq!(yard.said(&gallery()), [""; 0]);
}

#[test]
fn only_a_changed_card_is_laid_out_again() {
    let cards: Vec<String> =
        (0..50).map(|i| format!("unit Clerk{i} {{\n  points: {}\n  ability Note {{ says \"Number {i}.\" }}\n}}", i + 1)).collect();
    let mut yard = Yard::new(&cards.join("\n"));
    yard.edit("  picture portrait own\n", "  picture portrait\n");
    yard.check(&gallery());
    let first = yard.checker.laid_out();
    // each card has two sides
    assert_eq!(first, 100);
    yard.check(&gallery());
    assert_eq!(yard.checker.laid_out(), first, "nothing changed");
    yard.edit("Number 7.", "Number seven.");
    yard.check(&gallery());
    assert_eq!(yard.checker.laid_out(), first + 1, "one front changed");
    yard.edit("unit Clerk0 ", "\n\n// a comment\nunit Clerk0 ");
    yard.check(&gallery());
    assert_eq!(yard.checker.laid_out(), first + 1, "places moved, cards did not");
}
