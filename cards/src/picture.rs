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

/// How many dots a picture says that it has; a drawing has none.
pub fn dots_in(bytes: &[u8]) -> u64 {
    dots_of(bytes).map_or(0, |(w, h)| u64::from(w) * u64::from(h))
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn drawing(inside: &str) -> String {
        format!("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='60' height='80'>{inside}</svg>")
    }

    fn why(inside: &str) -> String {
        match Picture::read(drawing(inside).as_bytes()) {
            Err(Unreadable::Broken(why)) => why,
            other => panic!("{inside:.80}: {other:?}"),
        }
    }

    const RECT: &str = "<rect width='60' height='80'/>";

    #[test]
    fn drawings_that_are_bombs_are_refused_before_they_are_drawn() {
        let masks: String = (0..24)
            .map(|n| format!("<mask id='m{n}' mask='url(#m{})'><rect width='60' height='80' fill='white'/></mask>", n + 1))
            .collect();
        assert!(why(&format!("<defs>{masks}</defs><g mask='url(#m0)'>{RECT}</g>")).contains("deep"));
        let inside: String = (0..40).map(|n| format!("<g opacity='0.9{n}'>")).collect();
        assert!(why(&format!("{inside}{RECT}{}", "</g>".repeat(40))).contains("nested"));
        let tile = "<pattern id='p' patternUnits='userSpaceOnUse' width='9999999' height='9999999'><rect width='1' height='1'/></pattern>";
        assert!(why(&format!("<defs>{tile}</defs><rect width='60' height='80' fill='url(#p)'/>")).contains("tile"));
        let uses: String = (0..30).map(|n| format!("<g id='u{}'><use href='#u{n}'/><use href='#u{n}'/></g>", n + 1)).collect();
        assert!(why(&format!("<defs><g id='u0'>{RECT}</g>{uses}</defs><use href='#u30'/>")).contains("use each other"));
        let few: String = (0..10).map(|n| format!("<g id='u{}'>{}</g>", n + 1, format!("<use href='#u{n}'/>").repeat(10))).collect();
        assert!(why(&format!("<defs><g id='u0'>{RECT}</g>{few}</defs><use href='#u10'/>")).contains("use each other"));
        let marker = format!("<marker id='k'>{}</marker>", RECT.repeat(1000));
        let line = "<path marker-mid='url(#k)' d='M0 0".to_owned() + &" L1 1".repeat(1000) + "'/>";
        assert!(why(&format!("<defs>{marker}</defs>{line}")).contains("use each other"));
        let filter = |inside: &str| why(&format!("<defs><filter id='f'>{inside}</filter></defs><g filter='url(#f)'>{RECT}</g>"));
        assert!(filter("<feTurbulence numOctaves='100000000' baseFrequency='0.1'/>").contains("more than can be drawn"));
        assert!(filter("<feMorphology operator='dilate' radius='500'/>").contains("more than can be drawn"));
        assert!(filter(&"<feGaussianBlur stdDeviation='20'/>".repeat(300)).contains("more than can be drawn"));
        let matrix = format!("<feConvolveMatrix order='90' kernelMatrix='{}'/>", "1 ".repeat(8100));
        assert!(filter(&matrix).contains("more than can be drawn"));
        assert!(why(&format!("{}{RECT}{}", "<g>".repeat(500), "</g>".repeat(500))).contains("nested"));
        assert!(why("<path stroke='red' stroke-dasharray='0.00001' d='M0 0 L60 80'/>").contains("dashes"));
        // these made who draws them panic
        let dot = crate::svg::base64(&resvg::tiny_skia::Pixmap::new(1, 1).unwrap().encode_png().unwrap());
        let image = format!("{RECT}<image width='30' height='9022924917623074496' href='data:image/png;base64,{dot}'/>");
        assert!(why(&image).contains("too large"));
        assert!(why("<path d='M5 60 L20 -426226999658425533L40 60' stroke='black'/>").contains("too large"));
        assert!(why("<path d='M5 60L20 80' stroke='black' transform='scale(1e5) scale(1e5)'/>").contains("reaches"));
        assert!(why("<path d='M5 60L20 80' style='stroke:black;stroke-width:1e20'/>").contains("reaches"));
        let sheet = "<style>rect{filter:url(#f)}</style><defs><filter id='f'><feTurbulence numOctaves='9999999' baseFrequency='1'/></filter></defs>";
        assert!(why(&format!("{sheet}{RECT}")).contains("more than can be drawn"));
        let rules: String = (0..3000).map(|n| format!(".k{n} rect, g > rect {{fill: red}}")).collect();
        assert!(why(&format!("<style>{rules}</style>{}", RECT.repeat(3000))).contains("style sheet"));
        let many = |n: usize| (0..n).map(|i| format!(" a{i}='1'")).collect::<String>();
        assert!(why(&format!("<rect{}/>", many(2001))).contains("attributes"));
        let others = format!("<!-- {} --><style><![CDATA[ {} ]]></style>{RECT}", "= ".repeat(3000), "/* = */".repeat(3000));
        assert!(Picture::read(drawing(&others).as_bytes()).is_ok());
        let long = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='99999'><rect width='1' height='1'/></svg>";
        assert!(matches!(Picture::read(long.as_bytes()), Err(Unreadable::Broken(why)) if why.contains("as long as the other")));
    }

    #[test]
    fn entities_and_compressed_files_do_not_grow_without_end() {
        let entities: String = (1..12).map(|n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10))).collect();
        let bomb =
            format!("<!DOCTYPE svg [<!ENTITY e0 \"x\">{entities}]><svg xmlns='http://www.w3.org/2000/svg'><desc>&e11;</desc>{RECT}</svg>");
        assert!(Picture::read(bomb.as_bytes()).is_err());
        assert!(matches!(Picture::read(&[0x1f, 0x8b, 8, 0]), Err(Unreadable::Broken(why)) if why.contains("compressed")));
    }

    #[test]
    fn what_an_artist_draws_is_let_through() {
        let blur = "<filter id='f'><feGaussianBlur stdDeviation='2'/><feOffset dx='1'/><feMerge><feMergeNode/><feMergeNode in='SourceGraphic'/></feMerge></filter>";
        let noise = "<filter id='n'><feTurbulence numOctaves='3' baseFrequency='0.1'/></filter>";
        let tile = "<pattern id='p' patternUnits='userSpaceOnUse' width='5' height='5'><circle r='2' cx='2' cy='2'/></pattern>";
        let mask = "<mask id='m'><rect width='60' height='40' fill='white'/></mask>";
        let uses = "<use href='#r'/>".repeat(200);
        let fine = format!(
            "<defs>{blur}{noise}{tile}{mask}<rect id='r' width='3' height='3'/></defs><g filter='url(#f)'>{RECT}</g><g mask='url(#m)'>{uses}</g><rect width='60' height='80' fill='url(#p)' filter='url(#n)'/><path stroke-dasharray='2 1' stroke='red' d='M0 0 L60 80'/>"
        );
        let picture = Picture::read(drawing(&fine).as_bytes()).unwrap();
        assert!(picture.left_out.is_empty());
    }

    #[test]
    fn what_is_left_out_is_told() {
        let left = |inside: &str| Picture::read(drawing(&format!("{RECT}{inside}")).as_bytes()).unwrap().left_out.join("; ");
        assert!(left("<text>Guard</text>").contains("text"));
        assert!(left("<image href='other.png' width='5' height='5'/>").contains("linked"));
        assert!(left("<image xlink:href='http://x/y.png' width='5' height='5'/>").contains("linked"));
        assert!(left("<image href='data:image/svg+xml;base64,AAAA' width='5' height='5'/>").contains("no PNG or JPEG"));
        assert!(left("<foreignObject/><script/><animate/>").contains("script"));
        assert_eq!(why("<text>Guard</text>"), "there is nothing in it but text, which has to be turned into paths");
    }

    #[test]
    fn other_kinds_of_pictures_are_called_by_their_names() {
        let said = |bytes: &[u8]| match Picture::read(bytes) {
            Err(Unreadable::Broken(why)) => why,
            other => panic!("{other:?}"),
        };
        assert!(said(b"RIFF\x10\0\0\0WEBPVP8 ").contains("WebP"));
        assert!(said(b"GIF89a\x01\0\x01\0").contains("GIF"));
        assert!(said(b"BM\x10\0\0\0").contains("BMP"));
        assert!(said(b"II*\0\x08").contains("TIFF"));
        assert!(said(b"%PDF-1.7").contains("PDF"));
        assert!(said(b"\xff\xfe\x00").contains("no SVG, PNG or JPEG"));
        // four colours: those of a printer
        let cmyk = [&[0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 9, 0, 9, 4][..], &[0; 12], &[0xff, 0xda, 0, 2]].concat();
        assert!(said(&cmyk).contains("CMYK"));
    }

    #[test]
    fn the_dots_of_a_picture_are_counted_before_they_are_read() {
        let head =
            |w: u32, h: u32| [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &w.to_be_bytes(), &h.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
        let said = |bytes: &[u8]| format!("{:?}", Picture::read(bytes).err());
        assert!(said(&head(20_000, 20_000)).contains("40 million"));
        assert!(said(&head(0, 5)).contains("not possible"));
        assert!(said(&head(u32::MAX, u32::MAX)).contains("40 million"));
        let inside =
            format!("{RECT}<image width='5' height='5' href='data:image/png;base64,{}'/>", crate::svg::base64(&head(20_000, 20_000)));
        assert!(why(&inside).contains("40 million"));
    }

    #[test]
    fn what_two_pictures_show_is_compared_and_not_how_they_are_saved() {
        let shown = |bytes: &[u8]| Picture::read(bytes).unwrap().shown;
        let spaced = drawing(&format!("\n  <!-- by hand -->\n  {RECT}\n"));
        assert_eq!(shown(drawing(RECT).as_bytes()), shown(spaced.as_bytes()));
        assert_ne!(shown(drawing(RECT).as_bytes()), shown(drawing("<rect width='6' height='8'/>").as_bytes()));
        let mut map = resvg::tiny_skia::Pixmap::new(20, 20).unwrap();
        map.fill(resvg::tiny_skia::Color::from_rgba8(200, 10, 10, 255));
        let png = map.encode_png().unwrap();
        // a note of the program that saved it, behind the head
        let said = *b"tEXta\0bc";
        let sum = !said.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
        });
        let noted = [&png[..33], &4_u32.to_be_bytes(), &said, &sum.to_be_bytes(), &png[33..]].concat();
        assert_ne!(png, noted);
        assert_eq!(shown(&png), shown(&noted));
        map.fill(resvg::tiny_skia::Color::from_rgba8(200, 10, 11, 255));
        assert_ne!(shown(&png), shown(&map.encode_png().unwrap()));
    }
}
