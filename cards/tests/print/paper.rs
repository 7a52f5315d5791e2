//! Reads our PDFs back with another library: every glyph with its place on the page and the characters it stands for.

use std::collections::HashMap;
use std::rc::Rc;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId};

/// A glyph on the page, in points from its lower left corner.
#[derive(Clone, Debug)]
pub struct Found {
    pub text: String,
    pub x: f32,
    pub y: f32,
    pub advance: f32,
    pub size: f32,
    /// How far letters of its font reach above and below the baseline.
    pub ascent: f32,
    pub descent: f32,
}

struct PdfFont {
    /// In thousandths of its size.
    ascent: f32,
    descent: f32,
    unicode: HashMap<u16, String>,
    widths: HashMap<u16, f32>,
}

type Matrix = [f32; 6];

fn times(a: Matrix, b: Matrix) -> Matrix {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    ]
}

/// The size of each page and the glyphs on it.
pub fn pages(pdf: &[u8]) -> Vec<((f32, f32), Vec<Found>)> {
    let document = Document::load_mem(pdf).expect("a PDF that opens");
    let mut fonts = HashMap::new();
    document.get_pages().values().map(|id| page(&document, *id, &mut fonts)).collect()
}

/// All characters, in the order they were drawn.
pub fn text_of(pdf: &[u8]) -> String {
    pages(pdf).iter().flat_map(|(_, glyphs)| glyphs.iter().map(|g| g.text.as_str())).collect()
}

/// Fonts that were read already, by their place in the document: pages share them.
type Fonts = HashMap<*const Dictionary, Rc<PdfFont>>;

fn page(document: &Document, id: ObjectId, known: &mut Fonts) -> ((f32, f32), Vec<Found>) {
    let dictionary = document.get_dictionary(id).unwrap();
    let media: Vec<f32> = dictionary.get(b"MediaBox").unwrap().as_array().unwrap().iter().map(number).collect();
    let mut fonts: HashMap<Vec<u8>, Rc<PdfFont>> = HashMap::new();
    for (name, font) in document.get_page_fonts(id).unwrap() {
        let read = known.entry(std::ptr::from_ref(font)).or_insert_with(|| Rc::new(read_font(document, font)));
        fonts.insert(name, read.clone());
    }
    let content = Content::decode(&document.get_page_content(id)).unwrap();
    let mut found = Vec::new();
    let mut stack: Vec<Matrix> = Vec::new();
    let mut page_matrix: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let (mut line, mut text): (Matrix, Matrix) = (page_matrix, page_matrix);
    let (mut font, mut size): (Option<&PdfFont>, f32) = (None, 0.0);
    for operation in &content.operations {
        let n = |i: usize| operation.operands.get(i).map_or(0.0, number);
        let matrix = || [n(0), n(1), n(2), n(3), n(4), n(5)];
        match operation.operator.as_str() {
            "q" => stack.push(page_matrix),
            "Q" => page_matrix = stack.pop().unwrap_or(page_matrix),
            "cm" => page_matrix = times(matrix(), page_matrix),
            "BT" => (line, text) = ([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            "Tf" => {
                font = fonts.get(operation.operands[0].as_name().unwrap()).map(Rc::as_ref);
                size = n(1);
            }
            "Tm" => (line, text) = (matrix(), matrix()),
            "Td" => {
                line = times([1.0, 0.0, 0.0, 1.0, n(0), n(1)], line);
                text = line;
            }
            "Tj" => show(&operation.operands[0], font, size, &mut text, page_matrix, &mut found),
            "TJ" => {
                for part in operation.operands[0].as_array().unwrap() {
                    match part {
                        Object::String(..) => show(part, font, size, &mut text, page_matrix, &mut found),
                        other => text = times([1.0, 0.0, 0.0, 1.0, -number(other) / 1000.0 * size, 0.0], text),
                    }
                }
            }
            _ => {}
        }
    }
    ((media[2] - media[0], media[3] - media[1]), found)
}

fn number(object: &Object) -> f32 {
    match object {
        Object::Integer(i) => *i as f32,
        Object::Real(r) => *r,
        _ => 0.0,
    }
}

fn show(codes: &Object, font: Option<&PdfFont>, size: f32, text: &mut Matrix, page: Matrix, out: &mut Vec<Found>) {
    let (Object::String(codes, _), Some(font)) = (codes, font) else { return };
    for code in codes.chunks(2) {
        let code = code.iter().fold(0u16, |n, b| n << 8 | u16::from(*b));
        let advance = font.widths.get(&code).copied().unwrap_or(1000.0) / 1000.0 * size;
        let at = times(*text, page);
        let scale = (at[0] * at[0] + at[1] * at[1]).sqrt();
        let text_of_it = font.unicode.get(&code).cloned().unwrap_or_default();
        let size_there = size * scale;
        let (ascent, descent) = (font.ascent / 1000.0 * size_there, font.descent / 1000.0 * size_there);
        out.push(Found { text: text_of_it, x: at[4], y: at[5], advance: advance * scale, size: size_there, ascent, descent });
        *text = times([1.0, 0.0, 0.0, 1.0, advance, 0.0], *text);
    }
}

fn read_font(document: &Document, font: &Dictionary) -> PdfFont {
    let mut widths = HashMap::new();
    let descendants = font.get_deref(b"DescendantFonts", document).unwrap().as_array().unwrap();
    let descendant = document.dereference(&descendants[0]).unwrap().1.as_dict().unwrap();
    let listed = descendant.get_deref(b"W", document).unwrap().as_array().unwrap();
    let mut i = 0;
    while i < listed.len() {
        let first = number(&listed[i]) as u16;
        match &listed[i + 1] {
            Object::Array(each) => {
                for (n, width) in each.iter().enumerate() {
                    widths.insert(first + n as u16, number(width));
                }
                i += 2;
            }
            last => {
                for code in first..=(number(last) as u16) {
                    widths.insert(code, number(&listed[i + 2]));
                }
                i += 3;
            }
        }
    }
    let map = font.get_deref(b"ToUnicode", document).unwrap().as_stream().unwrap().decompressed_content().unwrap();
    let descriptor = descendant.get_deref(b"FontDescriptor", document).unwrap().as_dict().unwrap();
    let reach = |key: &[u8]| number(descriptor.get(key).unwrap()).abs();
    PdfFont { unicode: to_unicode(&String::from_utf8_lossy(&map)), widths, ascent: reach(b"Ascent"), descent: reach(b"Descent") }
}

/// `<0001> <0048>` lines between `beginbfchar` and `endbfchar`, and ranges.
fn to_unicode(map: &str) -> HashMap<u16, String> {
    let mut out = HashMap::new();
    let hex = |s: &str| -> Vec<u16> {
        let digits = s.trim_matches(['<', '>']);
        (0..digits.len() / 4).filter_map(|i| u16::from_str_radix(&digits[i * 4..i * 4 + 4], 16).ok()).collect()
    };
    let mut within = "";
    for line in map.lines() {
        if line.ends_with("beginbfchar") {
            within = "char";
        } else if line.ends_with("beginbfrange") {
            within = "range";
        } else if line.starts_with("endbf") {
            within = "";
        } else {
            let parts: Vec<&str> = line.split_whitespace().collect();
            match (within, parts.as_slice()) {
                ("char", [code, text]) => {
                    if let [code] = hex(code)[..] {
                        out.insert(code, String::from_utf16_lossy(&hex(text)));
                    }
                }
                ("range", [from, to, text]) => {
                    if let ([from], [to], [first]) = (&hex(from)[..], &hex(to)[..], &hex(text)[..]) {
                        for (n, code) in (*from..=*to).enumerate() {
                            out.insert(code, String::from_utf16_lossy(&[first + n as u16]));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    out
}
