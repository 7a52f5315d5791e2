//! Cards of the projects in `content/` look as they did. What counts is what one would see: the pictures are compared by small squares, and
//! a little difference of brightness is allowed in each.
//!
//! After a wanted change: run with `BANNERET_GOLDEN=write`, and look at the new ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use banneret_cards::Checker;
use banneret_cards::display::{Drawing, Op, Rect, Shown};
use banneret_cards::layout::Layouter;
use banneret_cards::picture::{Picture, Pictures, Unreadable};
use banneret_cards::sheet::{Paper, TwoSides, sheets};
use banneret_compiler::api::{PrintedCard, Workspace};
use banneret_compiler::manifest::{FILE_NAME, Manifest};
use banneret_compiler::printed::Side;
use resvg::tiny_skia::Pixmap;

const DPI: f32 = 50.0;
const SHEET_DPI: f32 = 30.0;
/// Dots on a side of a square, and how much its dots may differ from the golden picture on average, of 255.
const SQUARE: usize = 8;
const NEAR: u32 = 5;

/// A card of every printed kind, and some that are full.
const PROJECTS: &[(&str, &[&str])] = &[
    ("affinity", &["EmberSlinger", "OrielFirstLamp", "TheDrownedOrchard", "Wickmother"]),
    ("flux", &["AshLedger", "LeechSister", "Liquidate", "WagesInAdvance"]),
    ("focal_point", &["Bellhammers", "BlackBox", "KnockingHand", "OdaPlumb"]),
    ("one_card", &["Deckhand", "HedgeWarden", "OneCrate", "Thornwife"]),
    ("worlds_collide", &["BankTheFire", "DryWell", "Linesman", "MotherBisque"]),
];

struct Project {
    cards: Vec<PrintedCard>,
    art: Folder,
}

struct Folder(PathBuf);

impl Pictures for Folder {
    fn picture(&self, path: &str) -> Result<Arc<Picture>, Unreadable> {
        let bytes = fs::read(self.0.join(path)).map_err(|_| Unreadable::Missing)?;
        Picture::read(&bytes).map(Arc::new)
    }
}

impl Project {
    fn open(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content").join(name);
        let manifest = Manifest::parse(&fs::read_to_string(root.join(FILE_NAME)).unwrap(), FILE_NAME).unwrap();
        let art = Folder(root.join(&manifest.art));
        let mut files = Vec::new();
        sources(&root, &mut files);
        let mut workspace = Workspace::new();
        let id = workspace.open(manifest, root.display().to_string(), files);
        Self { cards: workspace.printed(id), art }
    }

    fn card(&self, name: &str) -> &PrintedCard {
        self.cards.iter().find(|c| c.printed.name == name).unwrap_or_else(|| panic!("there is no {name} any more"))
    }

    /// The sides of a card with their names.
    fn sides(&self, card: &PrintedCard) -> Vec<(String, Side, Drawing)> {
        let mut layouter = Layouter::default();
        let one = |face| {
            let (drawing, verdict) = layouter.draw(face, &self.art);
            assert!(verdict.fits, "{} does not fit on its {}", card.printed.name, face.name);
            (face.name.to_string(), face.side, drawing)
        };
        card.printed.faces.iter().map(one).collect()
    }
}

fn sources(folder: &Path, out: &mut Vec<(String, String)>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "banner") {
            out.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Golden pictures, and what does not look like them.
#[derive(Default)]
struct Goldens {
    seen: usize,
    wrong: Vec<String>,
}

impl Goldens {
    fn compare(&mut self, name: &str, png: &[u8]) {
        self.seen += 1;
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        if std::env::var_os("BANNERET_GOLDEN").is_some_and(|v| v == "write") {
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::write(&golden, png).unwrap();
            return;
        }
        let said = match fs::read(&golden) {
            Ok(then) => same(png, &then),
            Err(_) => Err("there is no golden picture".to_string()),
        };
        if let Err(why) = said {
            self.wrong.push(format!("{name}: {why}"));
        }
    }

    fn finish(self, at_least: usize) {
        assert!(self.seen >= at_least, "only {} pictures were looked at", self.seen);
        assert!(self.wrong.is_empty(), "run with BANNERET_GOLDEN=write and look at them:\n{}", self.wrong.join("\n"));
    }
}

#[test]
fn cards_look_as_they_did() {
    let mut goldens = Goldens::default();
    for (name, cards) in PROJECTS {
        let project = Project::open(name);
        for card in *cards {
            for (face, _, drawing) in project.sides(project.card(card)) {
                let png = banneret_cards::png(&drawing.trimmed(), DPI).unwrap();
                goldens.compare(&format!("{name}-{card}-{face}.png"), &png);
            }
        }
    }
    goldens.finish(30);
}

#[test]
fn every_card_fits() {
    let mut seen = 0;
    for (name, _) in PROJECTS {
        let project = Project::open(name);
        let said: Vec<String> = Checker::default()
            .check(&project.cards, &project.art)
            .iter()
            .map(|l| format!("{}: {}", l.file, l.diagnostic.headline))
            .collect();
        assert!(said.is_empty(), "{name}:\n{}", said.join("\n"));
        seen += project.cards.len();
    }
    assert!(seen >= 150, "only {seen} cards were looked at");
}

#[test]
fn a_sheet_looks_as_it_did() {
    let project = Project::open("one_card");
    let mut goldens = Goldens::default();
    let two_sides = |card: &PrintedCard| {
        let mut sides = project.sides(card).into_iter();
        let (_, side, front) = sides.next().unwrap();
        assert_eq!(side, Side::Front);
        TwoSides { front, back: sides.next().map(|(_, _, drawing)| drawing) }
    };
    let cards: Vec<TwoSides> = ["Deckhand", "HedgeWarden", "Thornwife"].iter().map(|name| two_sides(project.card(name))).collect();
    for page in sheets(&cards, Paper::A4) {
        let side = if page.back { "back" } else { "front" };
        goldens.compare(&format!("sheet-{}-{side}.png", page.sheet), &banneret_cards::png(&page.drawing, SHEET_DPI).unwrap());
    }
    goldens.finish(2);
}

/// Pictures of one size whose squares look alike.
fn same(now: &[u8], then: &[u8]) -> Result<(), String> {
    let (now, then) = (Pixmap::decode_png(now).unwrap(), Pixmap::decode_png(then).unwrap());
    let (width, height) = (now.width() as usize, now.height() as usize);
    if (width, height) != (then.width() as usize, then.height() as usize) {
        return Err("it has another size".into());
    }
    for top in (0..height).step_by(SQUARE) {
        for left in (0..width).step_by(SQUARE) {
            let (mut far, mut count) = (0u32, 0u32);
            for y in top..(top + SQUARE).min(height) {
                let row = 4 * (y * width + left)..4 * (y * width + (left + SQUARE).min(width));
                for (a, b) in now.data()[row.clone()].iter().zip(&then.data()[row]) {
                    far += u32::from(a.abs_diff(*b));
                    count += 1;
                }
            }
            // a quarter of the values says how opaque a dot is, which all are
            let far = far * 4 / 3 / count;
            if far > NEAR {
                return Err(format!("it differs {left} dots from the left and {top} from above, by {far} on average"));
            }
        }
    }
    Ok(())
}

/// The drawing with one of its boxes, and what stands in it, a millimetre to the right.
fn with_a_box_moved(drawing: &Drawing) -> Option<Drawing> {
    let by = 72.0 / 25.4;
    let boxes = drawing.ops.iter().filter_map(|op| match op {
        Op::Box(b) => b.stroke.map(|_| b.rect),
        _ => None,
    });
    let moved: Rect = boxes.min_by(|a, b| a.w.total_cmp(&b.w))?;
    let inside = |x: f32, y: f32| x >= moved.x && x < moved.right() && y >= moved.y && y <= moved.bottom();
    let mut out = drawing.clone();
    for op in &mut out.ops {
        match op {
            Op::Box(b) if b.stroke.is_some() && b.rect == moved => b.rect.x += by,
            Op::Glyphs(g) if inside(g.x, g.y) => g.x += by,
            _ => {}
        }
    }
    Some(out)
}

#[test]
fn a_stat_box_that_moved_is_refused() {
    let mut moved = 0;
    for (name, cards) in PROJECTS {
        let project = Project::open(name);
        for card in *cards {
            for (face, _, drawing) in project.sides(project.card(card)) {
                let Some(other) = with_a_box_moved(&drawing) else { continue };
                let (then, now) =
                    (banneret_cards::png(&drawing.trimmed(), DPI).unwrap(), banneret_cards::png(&other.trimmed(), DPI).unwrap());
                assert!(same(&then, &then).is_ok());
                assert!(same(&now, &then).is_err(), "{card}: a box on the {face} may move by a millimetre");
                moved += 1;
            }
        }
    }
    assert!(moved >= 10, "only {moved} sides have boxes");
}

/// Whoever clicks on a word of a card is led to where it is written: every letter lies in something that has a place, and most in something smaller than its strip.
#[test]
fn no_word_of_a_card_is_without_a_place() {
    let (mut letters, mut in_parts) = (0, 0);
    for (name, _) in PROJECTS {
        let project = Project::open(name);
        let mut layouter = Layouter::default();
        for card in &project.cards {
            for face in &card.printed.faces {
                let (drawing, _) = layouter.draw(face, &project.art);
                for area in &drawing.areas {
                    let known = match area.what {
                        Shown::Part(at) => at < card.printed.places.len(),
                        Shown::Strip(strip) => strip < face.strips.len(),
                    };
                    assert!(known, "{}: {area:?}", card.printed.name);
                }
                for op in &drawing.ops {
                    let Op::Glyphs(run) = op else { continue };
                    for glyph in run.glyphs.iter().filter(|g| !g.text.trim().is_empty()) {
                        let (x, y) = (run.x + glyph.x + glyph.advance / 2.0, run.y - run.size * 0.3);
                        let around =
                            drawing.areas.iter().filter(|a| a.rect.x <= x && x <= a.rect.right() && a.rect.y <= y && y <= a.rect.bottom());
                        let around: Vec<Shown> = around.map(|a| a.what).collect();
                        assert!(!around.is_empty(), "{} {}: {:?} at {x}, {y}", card.printed.name, face.name, glyph.text);
                        letters += 1;
                        in_parts += usize::from(around.iter().any(|what| matches!(what, Shown::Part(_))));
                    }
                }
            }
        }
    }
    assert!(letters > 10_000 && in_parts * 2 > letters, "{in_parts} of {letters}");
}
