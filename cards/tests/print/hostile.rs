//! Content that is out to break things is printed as text.

use banneret_cards::layout::Layouter;
use banneret_cards::picture::NoPictures;

use crate::paper::{pages, text_of};
use crate::support::Yard;

const TEXTS: &[&str] = &[
    "<script>alert(1)</script> & </svg> <!-- --> ]]>",
    "%PDF-1.7 endstream endobj (unclosed \\\\ ) Tj ET",
    "שלום עולם and back",
    "مرحبا بالعالم",
    "😀🧙‍♂️🏴‍☠️ emoji",
    "Z̸̡͎̪̱͚a̷̤͗l̸̰̎g̵̢̈́o̶͖͝ é é",
    "\u{202e}reversed\u{202c} \u{200b}\u{feff}\u{2066}",
    "{{braces}} $(touch /tmp/x) `x` ${y}",
    "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "漢字かな交じり文",
    "",
    "   ",
];

/// As it stands in a source; braces would be gaps.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['{', '}'], "")
}

#[test]
fn hostile_texts_show_as_text() {
    for text in TEXTS {
        let words = quoted(text);
        let yard = Yard::new(&format!(
            "unit Clerk \"T {words}\" {{\n  ability Note \"N {words}\" {{ says \"S {words}\" }}\n  flavour: \"F {words}\"\n}}"
        ));
        let card = yard.printed().remove(0);
        let face = &card.printed.faces[0];
        let (drawing, verdict) = Layouter::default().draw(face, &NoPictures);
        assert!(verdict.fits, "{text}: {verdict:?}");
        // SVG: still one well-formed document, with nothing in it that was not drawn
        let svg = banneret_cards::svg(&drawing, &card.printed.title);
        let tree = resvg::usvg::roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{text}: {e}"));
        let tags = ["svg", "title", "defs", "path", "g", "use", "rect", "image", "clipPath"];
        for node in tree.descendants().filter(|n| n.is_element()) {
            assert!(tags.contains(&node.tag_name().name()), "{text}: <{}>", node.tag_name().name());
        }
        assert!(tree.descendants().all(|n| n.attributes().all(|a| !a.name().starts_with("on"))), "{text}");
        // PNG: a picture of the right size
        let map = resvg::tiny_skia::Pixmap::decode_png(&banneret_cards::png(&drawing.trimmed(), 60.0).unwrap()).unwrap();
        assert_eq!((map.width(), map.height()), (149, 208), "{text}");
        // PDF: opens, and says what was written
        let pdf = banneret_cards::pdf(&[drawing], "hostile").unwrap();
        for ((width, height), glyphs) in pages(&pdf) {
            let inside = |g: &crate::paper::Found| g.x >= 0.0 && g.x + g.advance <= width && g.y >= 0.0 && g.y + g.size / 2.0 <= height;
            assert!(glyphs.iter().all(inside), "{text}: something is drawn off the page");
        }
        let said = text_of(&pdf);
        // letters of other scripts are there too, in whatever order they are drawn
        for c in text.chars().filter(|c| matches!(c, 'א'..='ת' | 'ء'..='ي' | '\u{1f300}'..='\u{1faff}')) {
            assert!(said.contains(c), "{text}: {c} is not in {said}");
        }
        for word in words.split_whitespace().filter(|w| w.is_ascii() && w.len() < 30 && !w.contains(['\\', '\'', '"', '-', '.'])) {
            assert!(said.contains(word), "{text}: {word} is not in {said}");
        }
    }
}

#[test]
fn the_size_of_a_card_cannot_break_anything() {
    for size in ["1mm by 1mm", "6mm by 88mm", "63mm by 6mm", "900mm by 900mm"] {
        let mut yard = Yard::new("unit Clerk {\n  ability Note { says \"Some words.\" }\n}");
        yard.edit("  size: poker\n  margin", &format!("  size: {size}\n  margin"));
        let card = yard.printed().remove(0);
        let (drawing, _) = Layouter::default().draw(&card.printed.faces[0], &NoPictures);
        banneret_cards::pdf(std::slice::from_ref(&drawing), "size").unwrap();
        banneret_cards::png(&drawing, 20.0).unwrap();
    }
}
