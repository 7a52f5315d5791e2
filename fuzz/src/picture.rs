//! Pictures: what is read is drawn as dots, as SVG and as PDF.

use std::sync::Arc;

use banneret_cards::display::{Drawing, Op, Placed, Rect};
use banneret_cards::picture::{Picture, Unreadable};
use banneret_runtime::hosts::seeded::Generator;

use crate::{Target, changes, generator_of, kept, one_of};

/// Parts of drawings that cost much, or name others.
const WORDS: [&str; 28] = [
    " id='a'",
    " id='b'",
    " href='#a'",
    " href='#b'",
    " filter='url(#a)'",
    " mask='url(#b)'",
    " fill='url(#a)'",
    " clip-path='url(#b)'",
    " opacity='0.5'",
    " transform='scale(1e9)'",
    " transform='matrix(0 0 0 0 0 0)'",
    " width='1e30'",
    " height='0'",
    " x='-1e9'",
    " stroke-dasharray='0.001'",
    " stroke-width='1e9' stroke='red'",
    " viewBox='0 0 0.001 0.001'",
    " viewBox='0 0 1e9 1e9'",
    "<use href='#a'/>",
    "<g id='a'>",
    "</g>",
    "<mask id='a'><rect width='9' height='9' fill='white'/></mask>",
    "<filter id='a'><feGaussianBlur stdDeviation='50'/></filter>",
    "<filter id='b'><feTurbulence numOctaves='9' baseFrequency='0.1'/></filter>",
    "<pattern id='a' width='1' height='1'><rect width='1' height='1'/></pattern>",
    "<style>*{filter:url(#a)}</style>",
    "NaN",
    "1e-30",
];

pub fn picture() -> Target {
    let change = |seeds: &[Vec<u8>], generator: &mut Generator| {
        let Some(seed) = one_of(seeds, generator) else { return Vec::new() };
        match std::str::from_utf8(seed) {
            Ok(drawing) => changes::text(drawing, &WORDS, seeds, generator).into_bytes(),
            Err(_) => {
                let mut bytes = changes::bytes(seed, 8, seeds, generator);
                if generator.below(4) > 0 {
                    mend_sums(&mut bytes);
                }
                bytes
            }
        }
    };
    Target { name: "picture", seeds: kept("picture"), change: Box::new(change), run: Box::new(draw), at_most: 50_000 }
}

fn draw(input: &[u8]) {
    let picture = match Picture::read(input) {
        Ok(picture) => Arc::new(picture),
        Err(Unreadable::Broken(why)) => return assert!(!why.is_empty(), "a refusal has a reason"),
        Err(_) => return,
    };
    let rect = Rect::new(0.0, 0.0, 180.0, 252.0);
    let drawing = Drawing {
        width: rect.w,
        height: rect.h,
        bleed: 9.0,
        ops: vec![Op::Picture(Placed { rect, clip: rect, picture })],
        areas: Vec::new(),
    };
    // mostly small: it is the same code, and many more are drawn
    let fine = if generator_of(input).below(32) == 0 { 300.0 } else { 30.0 };
    let _ = banneret_cards::png(&drawing, fine);
    banneret_cards::svg(&drawing, "fuzz");
    let _ = banneret_cards::pdf(&[drawing], "fuzz");
}

/// Makes the sums of a PNG's chunks right again, so that what is in them is looked at.
fn mend_sums(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4).map(|four| four.iter().fold(0usize, |sum, byte| sum << 8 | usize::from(*byte))) {
        let end = at + 8 + length;
        let Some(sum) = bytes.get(at + 4..end).map(sum_of) else { return };
        let Some(place) = bytes.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

fn sum_of(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}
