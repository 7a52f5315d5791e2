//! The verdict and the printed PDF agree: over a thousand cards around the limit, all text lies inside the card if and only if it fits.

use banneret_cards::layout::Layouter;
use banneret_cards::picture::NoPictures;
use banneret_compiler::printed::{Face, StripKind, Text};

use crate::paper::{Found, pages};
use crate::support::Yard;

/// Twice as many are looked at, by two tests that can run at a time.
const CARDS: usize = 500;

/// Small numbers in a fixed order, so that the same cards are made every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

const WORDS: &str = "deal damage to each enemy within reach of this unit until the end turn a wounded attacks whenever another may instead \
                     fortification be it half-cut then draws its weapon loses Shield";

fn sentence(dice: &mut Dice, words: u64) -> String {
    let known: Vec<&str> = WORDS.split_whitespace().collect();
    let words: Vec<&str> = (0..words).map(|_| known[dice.roll(known.len() as u64) as usize]).collect();
    words.join(" ")
}

/// A card whose amount of text lies around what a side holds.
fn card(n: usize, dice: &mut Dice) -> String {
    let mut out = format!("unit Clerk{n} \"The {} Clerk\" {{\n  points: {}\n", sentence(dice, 1), dice.roll(90) + 1);
    for w in 0..dice.roll(4) {
        out.push_str(&format!("  weapon W{w} {{ attacks: {}, damage: {} }}\n", dice.roll(9) + 1, dice.roll(9) + 1));
    }
    let total = 130 + dice.roll(150);
    let abilities = 1 + dice.roll(4);
    for a in 0..abilities {
        let words = sentence(dice, total / abilities);
        out.push_str(&format!("  ability A{a} \"Skill {a}\" {{ says \"{words}\" }}\n"));
    }
    if dice.roll(2) == 0 {
        let words = sentence(dice, 12);
        out.push_str(&format!("  flavour: \"{words}\"\n"));
    }
    out.push('}');
    out
}

/// Lines are so many times as high as their type.
const LEADING: f32 = 1.18;
/// What rounding may cost, in points.
const NEAR: f32 = 0.03;

/// Where the line ends that a letter stands on, in points from the lower edge: as much above its letters as below them is added.
fn line_end(letter: &Found) -> f32 {
    let spare = letter.size * LEADING - letter.ascent - letter.descent;
    letter.y - letter.descent - spare / 2.0
}

fn letters_of(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The letters of everything a face has to show.
fn expected(face: &Face) -> Vec<String> {
    let all = |text: &Text| letters_of(&text.iter().map(|run| run.text.as_str()).collect::<String>());
    let strips = face.strips.iter().flat_map(|strip| match &strip.kind {
        StripKind::Title { left, right } => vec![all(left), all(right)],
        StripKind::Grid { rows, .. } => rows.iter().flat_map(|row| row.cells.iter().map(all)).collect(),
        StripKind::Rules(paragraphs) => paragraphs.iter().map(|p| all(&p.text)).collect(),
        _ => Vec::new(),
    });
    strips.collect()
}

#[test]
fn the_verdict_and_the_pdf_agree_over_five_hundred_cards() {
    agree(7);
}

#[test]
fn and_over_five_hundred_others() {
    agree(11);
}

fn agree(seed: u64) {
    let mut dice = Dice(seed);
    let cards: Vec<String> = (0..CARDS).map(|n| card(n, &mut dice)).collect();
    let yard = Yard::new(&cards.join("\n"));
    let printed = yard.printed();
    assert_eq!(printed.len(), CARDS);
    let mut layouter = Layouter::default();
    let (mut drawings, mut verdicts) = (Vec::new(), Vec::new());
    for card in &printed {
        let face = &card.printed.faces[0];
        let (drawing, verdict) = layouter.draw(face, &NoPictures);
        assert_eq!(verdict, layouter.verdict(face), "the check and the print are one layout");
        drawings.push(drawing.trimmed());
        verdicts.push(verdict);
    }
    let pdf = banneret_cards::pdf(&drawings, "agreement").unwrap();
    let pages = pages(&pdf);
    assert_eq!(pages.len(), CARDS);
    let margin = 3.0 * 72.0 / 25.4;
    let mut fitting = 0;
    for (((size, glyphs), verdict), card) in pages.iter().zip(&verdicts).zip(&printed) {
        let title = &card.printed.title;
        let on_page = letters_of(&glyphs.iter().map(|g| g.text.as_str()).collect::<String>());
        for words in expected(&card.printed.faces[0]) {
            assert!(on_page.contains(&words), "{title}: the page has no {words:?}, only {on_page:?}");
        }
        let ink: Vec<&Found> = glyphs.iter().filter(|g| !g.text.trim().is_empty()).collect();
        for g in &ink {
            assert!(g.x > margin - 0.6 && g.x + g.advance < size.0 - margin + 0.6, "{title}: {g:?} is beside the card");
            assert!(g.y + g.ascent < size.1 + NEAR, "{title}: {g:?} is above the card");
            assert!(g.size >= 6.49, "{title}: {g:?} is smaller than the smallest type");
        }
        let lowest = ink.iter().map(|g| line_end(g)).fold(f32::MAX, f32::min);
        let inside = lowest >= margin - NEAR;
        assert_eq!(
            verdict.fits, inside,
            "{title}: the lowest line ends {lowest} pt above the edge, the margin is {margin}, but {verdict:?}"
        );
        if !inside {
            let over = (margin - lowest) * 25.4 / 72.0;
            assert!((verdict.over - over).abs() < 0.02, "{title}: {over} mm too long, but {verdict:?}");
        }
        fitting += usize::from(verdict.fits);
    }
    // the test means something only around the limit
    assert!((CARDS * 3 / 10..CARDS * 7 / 10).contains(&fitting), "{fitting} of {CARDS} fit");
}
