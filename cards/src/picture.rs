//! Pictures: SVG or PNG and JPEG, read once and drawn wherever they stand.

use std::sync::Arc;

use resvg::usvg;

/// The largest picture that is read, in bytes.
const LARGEST: usize = 32 * 1024 * 1024;

/// A picture that was read.
#[derive(Debug)]
pub struct Picture {
    pub tree: usvg::Tree,
    /// Dots, for pictures that are made of them.
    pub dots: Option<(u32, u32)>,
    /// What it is, byte for byte: two pictures are the same if this is.
    pub hash: u64,
}

/// Hands pictures over by the path that a card names.
pub trait Pictures: Sync {
    fn picture(&self, path: &str) -> Result<Arc<Picture>, Unreadable>;
}

/// Why a picture cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// No such file.
    Missing,
    /// It leads out of the folder for pictures.
    Outside,
    /// The file is there, but this is wrong with it.
    Broken(String),
}

/// No pictures at all, for tests and for checks of type alone.
pub struct NoPictures;

impl Pictures for NoPictures {
    fn picture(&self, _path: &str) -> Result<Arc<Picture>, Unreadable> {
        Err(Unreadable::Missing)
    }
}

impl Picture {
    /// Reads a picture; what it is follows from its bytes, not from its name. Nothing outside of it is ever loaded.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let broken = |words: &str| Err(Unreadable::Broken(words.to_string()));
        if bytes.len() > LARGEST {
            return broken("it is larger than 32 MB");
        }
        let hash = fingerprint(bytes);
        let options = usvg::Options {
            // a picture cannot pull in other files
            image_href_resolver: usvg::ImageHrefResolver {
                resolve_data: usvg::ImageHrefResolver::default_data_resolver(),
                resolve_string: Box::new(|_, _| None),
            },
            ..usvg::Options::default()
        };
        if let Some(dots) = dots_of(bytes) {
            let (w, h) = dots;
            if w == 0 || h == 0 || w > 20_000 || h > 20_000 {
                return broken("its size is not possible");
            }
            let kind = if bytes.starts_with(&[0xff, 0xd8]) { "jpeg" } else { "png" };
            let wrapped = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\"><image width=\"{w}\" height=\"{h}\" href=\"data:image/{kind};base64,{}\"/></svg>",
                crate::svg::base64(bytes)
            );
            let whole = kind == "jpeg" || resvg::tiny_skia::Pixmap::decode_png(bytes).is_ok();
            return match usvg::Tree::from_str(&wrapped, &options) {
                Ok(tree) if whole && shows_something(&tree) => Ok(Self { tree, dots: Some(dots), hash }),
                _ => broken("it is damaged"),
            };
        }
        match usvg::Tree::from_data(bytes, &options) {
            Ok(tree) if tree.root().has_children() => Ok(Self { tree, dots: None, hash }),
            Ok(_) => broken("there is nothing in it"),
            Err(error) => broken(&format!("it is no SVG, PNG or JPEG ({error})")),
        }
    }

    pub fn size(&self) -> (f32, f32) {
        let size = self.tree.size();
        (size.width(), size.height())
    }

    /// How it is moved and scaled to fill a rectangle: scale, and where its corner lies.
    pub fn filling(&self, rect: crate::display::Rect) -> (f32, f32, f32) {
        let (w, h) = self.size();
        let scale = (rect.w / w).max(rect.h / h);
        (scale, rect.x + (rect.w - w * scale) / 2.0, rect.y + (rect.h - h * scale) / 2.0)
    }
}

/// Whether anything of a picture of dots can be drawn: a damaged one draws nothing.
fn shows_something(tree: &usvg::Tree) -> bool {
    let size = tree.size();
    let small = resvg::tiny_skia::Transform::from_scale(16.0 / size.width(), 16.0 / size.height());
    let Some(mut map) = resvg::tiny_skia::Pixmap::new(16, 16) else { return false };
    resvg::render(tree, small, &mut map.as_mut());
    // a PNG may well be transparent, but then it shows nothing either
    map.data().iter().any(|byte| *byte != 0)
}

/// The size of a PNG or JPEG, read from its head.
fn dots_of(bytes: &[u8]) -> Option<(u32, u32)> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let number = |at: usize| bytes.get(at..at + 4).map(|b| b.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)));
        return Some((number(16)?, number(20)?));
    }
    if !bytes.starts_with(&[0xff, 0xd8]) {
        return None;
    }
    let mut at = 2;
    while let [0xff, marker, high, low, ..] = bytes.get(at..)? {
        let length = usize::from(*high) << 8 | usize::from(*low);
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let [h1, h2, w1, w2] = bytes.get(at + 5..at + 9)? else { return None };
            return Some((u32::from(*w1) << 8 | u32::from(*w2), u32::from(*h1) << 8 | u32::from(*h2)));
        }
        at += 2 + length.max(2);
    }
    None
}

/// A number that stands for bytes: the same on every machine.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
