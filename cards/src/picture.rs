//! Pictures: SVG or PNG and JPEG, read once and drawn wherever they stand.

mod drawing;

use std::sync::Arc;

use resvg::usvg;

/// The largest picture that is read, in bytes.
const LARGEST: usize = 32 * 1024 * 1024;

/// Dots of one picture, or of all that are embedded in a drawing.
pub const MOST_DOTS: u64 = 40_000_000;

/// A picture that was read.
#[derive(Debug)]
pub struct Picture {
    pub tree: usvg::Tree,
    /// Dots, for pictures that are made of them.
    pub dots: Option<(u32, u32)>,
    /// What of its file is not drawn.
    pub left_out: Vec<&'static str>,
    /// A number for what it shows: two pictures are the same if this is.
    pub shown: u64,
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
    /// Reads a picture; what it is follows from its bytes, not from its name. Nothing outside of it is ever loaded, and nothing is read that
    /// could not be drawn with little time and memory.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        read(bytes).map_err(Unreadable::Broken)
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

fn read(bytes: &[u8]) -> Result<Picture, String> {
    if bytes.len() > LARGEST {
        return Err("it is larger than 32 MB".to_owned());
    }
    if let Some(other) = other_kind(bytes) {
        return Err(format!("it is {other}"));
    }
    match dots_of(bytes) {
        Some(dots) => read_dots(bytes, dots),
        None => read_drawing(bytes),
    }
}

/// What a file is that is no SVG, PNG or JPEG, if its first bytes tell.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    let starts = |with: &[u8]| bytes.starts_with(with);
    let has = |at: usize, what: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(what));
    Some(match () {
        () if starts(b"RIFF") && has(8, b"WEBP") => "a WebP picture",
        () if starts(b"GIF8") => "a GIF picture",
        () if starts(b"BM") => "a BMP picture",
        () if starts(b"II*\0") || starts(b"MM\0*") => "a TIFF picture",
        () if has(4, b"ftypavif") || has(4, b"ftypheic") => "an AVIF or HEIC picture",
        () if starts(b"8BPS") => "a file of Photoshop",
        () if starts(b"%PDF") => "a PDF",
        () if starts(&[0x1f, 0x8b]) => "a compressed SVG",
        () => return None,
    })
}

fn options() -> usvg::Options<'static> {
    usvg::Options {
        // a picture cannot pull in other files, and a drawing no other drawings: what is left out is told before
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: Box::new(|mime, data, _| match mime {
                "image/png" => Some(usvg::ImageKind::PNG(data)),
                "image/jpeg" | "image/jpg" => Some(usvg::ImageKind::JPEG(data)),
                _ => None,
            }),
            resolve_string: Box::new(|_, _| None),
        },
        ..usvg::Options::default()
    }
}

fn read_dots(bytes: &[u8], (w, h): (u32, u32)) -> Result<Picture, String> {
    if w == 0 || h == 0 {
        return Err("its size is not possible".to_owned());
    }
    if u64::from(w) * u64::from(h) > MOST_DOTS {
        return Err(format!("it has {w} × {h} dots, and more than {} million are not read", MOST_DOTS / 1_000_000));
    }
    let is_jpeg = bytes.starts_with(&[0xff, 0xd8]);
    if is_jpeg && jpeg_frame(bytes).is_some_and(|frame| frame.colours == 4) {
        return Err("it is a JPEG with the colours of a printer (CMYK); save it with those of a screen (RGB)".to_owned());
    }
    let shown = match is_jpeg {
        true => fingerprint_of(jpeg_without_notes(bytes).into_iter().flatten().copied()),
        false => {
            let map = resvg::tiny_skia::Pixmap::decode_png(bytes).map_err(|_| "it is damaged")?;
            fingerprint_of(map.data().iter().copied())
        }
    };
    let kind = if is_jpeg { "jpeg" } else { "png" };
    let wrapped = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\"><image width=\"{w}\" height=\"{h}\" href=\"data:image/{kind};base64,{}\"/></svg>",
        crate::svg::base64(bytes)
    );
    match usvg::Tree::from_str(&wrapped, &options()) {
        Ok(tree) if shows_something(&tree) => Ok(Picture { tree, dots: Some((w, h)), left_out: Vec::new(), shown: shown ^ u64::from(w) }),
        _ => Err("it is damaged".to_owned()),
    }
}

fn read_drawing(bytes: &[u8]) -> Result<Picture, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no SVG, PNG or JPEG")?;
    let document = drawing::parsed(text)?;
    let left_out = drawing::count_written(&document)?;
    let tree = usvg::Tree::from_xmltree(&document, &options()).map_err(|error| format!("it is no SVG, PNG or JPEG ({error})"))?;
    if !tree.root().has_children() {
        return Err(match left_out.first() {
            Some(what) => format!("there is nothing in it but {what}"),
            None => "there is nothing in it".to_owned(),
        });
    }
    drawing::count_work(&tree)?;
    // written anew, it is the same whatever its spaces and comments are
    let plain = tree.to_string(&usvg::WriteOptions { indent: usvg::Indent::None, ..usvg::WriteOptions::default() });
    Ok(Picture { tree, dots: None, left_out, shown: fingerprint(plain.as_bytes()) })
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
    let frame = jpeg_frame(bytes)?;
    Some((frame.width, frame.height))
}

struct Frame {
    width: u32,
    height: u32,
    colours: u8,
}

/// The pieces of a JPEG up to its dots: the marker, and all of the piece.
fn jpeg_pieces(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8]);
    std::iter::from_fn(move || {
        let here = rest?;
        let [0xff, marker, high, low, ..] = here else { return None };
        // behind this come the dots
        if *marker == 0xda {
            rest = None;
            return Some((*marker, here));
        }
        let length = 2 + (usize::from(*high) << 8 | usize::from(*low)).max(2);
        let (piece, after) = here.split_at_checked(length)?;
        rest = Some(after);
        Some((*marker, piece))
    })
}

fn jpeg_frame(bytes: &[u8]) -> Option<Frame> {
    let is_frame = |marker: u8| matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
    let (_, piece) = jpeg_pieces(bytes).find(|(marker, _)| is_frame(*marker))?;
    let number = |at: usize| Some(u32::from(*piece.get(at)?) << 8 | u32::from(*piece.get(at + 1)?));
    Some(Frame { height: number(5)?, width: number(7)?, colours: *piece.get(9)? })
}

/// A JPEG without what programs noted in it: that does not show.
fn jpeg_without_notes(bytes: &[u8]) -> impl IntoIterator<Item = &[u8]> {
    jpeg_pieces(bytes).filter(|(marker, _)| !matches!(marker, 0xe1..=0xed | 0xef | 0xfe)).map(|(_, piece)| piece)
}

/// A number that stands for bytes: the same on every machine.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    fingerprint_of(bytes.iter().copied())
}

fn fingerprint_of(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
