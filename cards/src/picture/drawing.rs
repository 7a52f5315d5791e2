//! What an SVG may cost, counted before anything of it is drawn.
//!
//! A drawing of a few hundred bytes can ask for any amount of time and memory: shapes that use each other, masks in masks, filters, patterns
//! larger than the paper. So it is counted twice: as it is written, where parts are named by others, and as it was read, where it is known
//! how much room each part takes. Whatever passes is drawn within a second or so.

use resvg::usvg::filter::Kind;
use resvg::usvg::roxmltree::{Document, Node as Element, NodeId, ParsingOptions};
use resvg::usvg::{self, Group, ImageKind, Node, Paint, Path, Transform};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{MOST_DOTS, dots_of};

/// Elements of a drawing, those that are used by others counted each time.
const MOST_ELEMENTS: u64 = 50_000;
/// Elements as they are written.
const MOST_WRITTEN: u32 = 50_000;
/// Elements inside each other.
const DEEPEST: usize = 200;
/// Parts that name parts that name parts.
const LONGEST: usize = 12;
/// Masks, filters, patterns and faint groups inside each other: each takes a sheet of its own.
const MOST_SHEETS: usize = 8;
/// A drawing is taken to be this many dots large.
const DOTS: f64 = 4_000_000.0;
/// What is done to all dots together.
const MOST_WORK: f64 = 3.0e9;
/// How much larger than the drawing a filter or the tile of a pattern may be.
const LARGEST_SHARE: f64 = 4.0;
/// How much longer one side may be than the other.
const LONGEST_SIDE: f32 = 20.0;
const MOST_DASHES: f64 = 1_000_000.0;
/// How far from its corner a drawing may reach, in lengths of its longer side: beyond that dots cannot be counted.
const FARTHEST: f32 = 1000.0;
/// Rules of its style sheets times its elements: each is tried on each.
const MOST_STYLED: usize = 5_000_000;
/// How many attributes one part may have: whoever reads it compares each with all others.
const MOST_ATTRIBUTES: usize = 2_000;
/// The largest number that may be written in it.
const LARGEST: f64 = 1.0e9;

/// What is in an SVG that is not drawn, in words.
pub type LeftOut = Vec<&'static str>;

pub fn parsed(text: &str) -> Result<Document<'_>, String> {
    if most_attributes(text) > MOST_ATTRIBUTES {
        return Err(format!("a part of it has more than {MOST_ATTRIBUTES} attributes"));
    }
    // what programs for drawing write at its head is let through
    let options = ParsingOptions { allow_dtd: true, nodes_limit: 4 * MOST_WRITTEN, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| format!("it is no SVG, PNG or JPEG ({error})"))
}

/// The most attributes that one tag has, counted by its signs `=` outside of quotes. Remarks and texts have none.
fn most_attributes(text: &str) -> usize {
    let mut most = 0;
    let mut rest = text;
    while let Some((_, tag)) = rest.split_once('<') {
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>")].iter().find_map(|(start, end)| Some((tag.strip_prefix(start)?, end)));
        if let Some((inside, end)) = skipped {
            rest = inside.split_once(end).map_or("", |(_, behind)| behind);
            continue;
        }
        let (mut quote, mut count, mut end) = (None, 0, tag.len());
        for (at, byte) in tag.bytes().enumerate() {
            match (byte, quote) {
                (b'>' | b'<', None) => {
                    end = at;
                    break;
                }
                (b'\'' | b'"', None) => quote = Some(byte),
                (b'=', None) => count += 1,
                _ if quote == Some(byte) => quote = None,
                _ => {}
            }
        }
        most = most.max(count);
        rest = tag.get(end..).unwrap_or("");
    }
    most
}

/// Counts a drawing as it is written, and says what of it will not be drawn.
pub fn count_written(document: &Document) -> Result<LeftOut, String> {
    let mut depth = vec![(document.root(), 0)];
    while let Some((node, level)) = depth.pop() {
        if level > DEEPEST {
            return Err(format!("its parts are nested more than {DEEPEST} deep"));
        }
        depth.extend(node.children().map(|child| (child, level + 1)));
    }
    let elements = || document.descendants().filter(Element::is_element);
    if elements().count() > MOST_WRITTEN as usize {
        return Err(format!("it has more than {MOST_WRITTEN} parts"));
    }
    if elements().any(|element| element.attributes().any(|attribute| is_measure(attribute.name()) && is_too_large(attribute.value()))) {
        return Err("there are numbers in it that are too large to be drawn".to_owned());
    }
    let rules = |sheet: &str| sheet.bytes().filter(|byte| matches!(byte, b'{' | b',')).count();
    let sheets = elements().filter(|element| element.tag_name().name() == "style").flat_map(|element| element.descendants());
    if sheets.filter_map(|node| node.text()).map(rules).sum::<usize>().saturating_mul(elements().count()) > MOST_STYLED {
        return Err("its style sheet has more rules than can be tried on all its parts".to_owned());
    }
    let mut counting = Counting::new(document);
    if counting.of(document.root_element()).is_none_or(|sum| sum.elements > MOST_ELEMENTS) {
        return Err(format!(
            "its parts use each other: drawn one by one they would be more than {MOST_ELEMENTS}, or more than {LONGEST} deep"
        ));
    }
    let mut left_out = LeftOut::new();
    let mut tell = |words| {
        if !left_out.contains(&words) {
            left_out.push(words);
        }
    };
    for element in elements() {
        match element.tag_name().name() {
            "text" => tell("text, which has to be turned into paths"),
            "foreignObject" => tell("parts that are no drawing (`foreignObject`)"),
            "script" => tell("a script"),
            "animate" | "animateTransform" | "animateMotion" | "set" => tell("movement"),
            "image" | "feImage" => match href(element) {
                Some(link) if link.starts_with('#') || is_dots(link) => {}
                Some(link) if link.starts_with("data:") => tell("an embedded picture that is no PNG or JPEG"),
                _ => tell("a linked picture, which has to be embedded"),
            },
            _ => {}
        }
    }
    Ok(left_out)
}

/// Whether an attribute says where or how large something is; names and links may have any digits.
fn is_measure(name: &str) -> bool {
    !matches!(name, "id" | "class" | "href" | "style" | "base") && !name.starts_with("data-") && !name.starts_with("aria-")
}

/// Whether a number in a list of them is beyond all measure.
fn is_too_large(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+');
    // `1-2` and `1.2.3` are two numbers each: whatever cannot be read at once has no more digits than its longest piece
    let mut pieces = text.split(|c| !is_part(c)).flat_map(|piece| match piece.parse::<f64>() {
        Ok(number) => vec![number],
        Err(_) => piece.split(['-', '+', '.']).filter_map(|piece| piece.parse().ok()).collect(),
    });
    pieces.any(|number| number.abs() > LARGEST)
}

fn is_dots(link: &str) -> bool {
    ["png", "jpeg", "jpg"].iter().any(|kind| link.starts_with(&format!("data:image/{kind}")))
}

fn href<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    element.attributes().find(|attribute| attribute.name() == "href").map(|attribute| attribute.value().trim())
}

/// What an element comes to with all that it names.
#[derive(Clone, Copy, Default)]
struct Sum {
    elements: u64,
    /// How often a part names a part below it.
    links: usize,
}

struct Counting<'a, 'input> {
    by_id: FxHashMap<&'a str, Element<'a, 'input>>,
    /// Named in style sheets: anything may be meant.
    everywhere: Vec<&'a str>,
    known: FxHashMap<NodeId, Sum>,
}

impl<'a, 'input> Counting<'a, 'input> {
    fn new(document: &'a Document<'input>) -> Self {
        let elements = || document.descendants().filter(Element::is_element);
        let by_id: FxHashMap<&str, Element> = elements().filter_map(|e| Some((e.attribute("id")?, e))).collect();
        let sheets = elements().filter(|e| e.tag_name().name() == "style").flat_map(|e| e.descendants()).filter_map(|n| n.text());
        let mut everywhere: Vec<&str> = sheets.flat_map(urls).filter(|id| !by_id.get(id).is_some_and(is_gradient)).collect();
        everywhere.sort_unstable();
        everywhere.dedup();
        Self { by_id, everywhere, known: FxHashMap::default() }
    }

    /// The elements that an element brings with it, and how often each.
    fn brings(&self, element: Element<'a, 'input>) -> Vec<(Element<'a, 'input>, u64, usize)> {
        let mut out: Vec<_> = element.children().filter(Element::is_element).map(|child| (child, 1, 0)).collect();
        let mut name = |id: &str, times: u64| out.extend(self.by_id.get(id).map(|found| (*found, times, 1)));
        if let Some(id) = href(element).and_then(|link| link.strip_prefix('#')) {
            name(id, 1);
        }
        // a marker stands at every point of a line
        let points = element.attribute("d").or(element.attribute("points")).map_or(0, |points| points.len() as u64 / 2);
        for attribute in element.attributes() {
            let times = if attribute.name().starts_with("marker") || attribute.value().contains("marker") { points + 1 } else { 1 };
            urls(attribute.value()).for_each(|id| name(id, times));
        }
        let is_drawn = ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "g", "use", "image", "svg"];
        if is_drawn.contains(&element.tag_name().name()) {
            self.everywhere.iter().for_each(|id| name(id, points + 1));
        }
        out
    }

    /// None: it leads too deep. What leads back to itself is drawn by nobody and counts once.
    fn of(&mut self, root: Element<'a, 'input>) -> Option<Sum> {
        let mut open: FxHashSet<NodeId> = FxHashSet::default();
        let mut walk = vec![(root, false)];
        while let Some((element, is_done)) = walk.pop() {
            if self.known.contains_key(&element.id()) {
                continue;
            }
            let brings = self.brings(element);
            if !is_done {
                if open.insert(element.id()) {
                    walk.push((element, true));
                    walk.extend(brings.iter().filter(|(one, ..)| !open.contains(&one.id())).map(|(one, ..)| (*one, false)));
                }
                continue;
            }
            let mut sum = Sum { elements: 1, links: 0 };
            for (one, times, links) in brings {
                let inner = self.known.get(&one.id()).copied().unwrap_or_default();
                sum.elements = sum.elements.saturating_add(inner.elements.saturating_mul(times));
                sum.links = sum.links.max(inner.links + links);
            }
            if sum.links > LONGEST {
                return None;
            }
            self.known.insert(element.id(), sum);
        }
        self.known.get(&root.id()).copied()
    }
}

fn is_gradient(element: &Element) -> bool {
    matches!(element.tag_name().name(), "linearGradient" | "radialGradient")
}

/// The names in `url(#…)`.
fn urls(text: &str) -> impl Iterator<Item = &str> {
    text.split("url(").skip(1).filter_map(|rest| {
        let inside = rest.split(')').next()?.trim().trim_matches(['"', '\'']);
        inside.strip_prefix('#')
    })
}

/// Counts a drawing as it was read: what is done to its dots when it is drawn.
pub fn count_work(tree: &usvg::Tree) -> Result<(), String> {
    let size = tree.size();
    if size.width() > size.height() * LONGEST_SIDE || size.height() > size.width() * LONGEST_SIDE {
        return Err(format!("one of its sides is more than {LONGEST_SIDE} times as long as the other"));
    }
    let farthest = FARTHEST * size.width().max(size.height());
    let mut work = Work { whole: f64::from(size.width()) * f64::from(size.height()), farthest, dots: 0.0, embedded: 0, dashes: 0.0 };
    work.group(tree.root(), 0)?;
    if work.dots > MOST_WORK {
        return Err("its filters, masks and patterns are more than can be drawn".to_owned());
    }
    Ok(())
}

struct Work {
    /// The area of the drawing, in its own measure.
    whole: f64,
    farthest: f32,
    dots: f64,
    embedded: u64,
    dashes: f64,
}

impl Work {
    /// How much of the drawing something takes.
    fn share(&self, width: f32, height: f32) -> f64 {
        let share = f64::from(width) * f64::from(height) / self.whole;
        // what is no number is as large as can be
        if share.is_finite() { share } else { f64::MAX }
    }

    fn group(&mut self, group: &Group, sheets: usize) -> Result<(), String> {
        let sheets = sheets + usize::from(group.should_isolate());
        if sheets > MOST_SHEETS {
            return Err(format!("masks, filters and groups that are seen through are nested more than {MOST_SHEETS} deep in it"));
        }
        if group.should_isolate() {
            let bounds = group.abs_layer_bounding_box();
            let share = self.share(bounds.width(), bounds.height()).min(1.0);
            self.dots += 4.0 * share * DOTS;
        }
        for filter in group.filters() {
            let scale = group.abs_transform().get_scale();
            let rect = filter.rect();
            let share = self.share(rect.width() * scale.0, rect.height() * scale.1);
            if share > LARGEST_SHARE {
                return Err("a filter in it is larger than the drawing".to_owned());
            }
            for primitive in filter.primitives() {
                self.dots += share * DOTS * cost(primitive.kind(), scale, (DOTS / self.whole).sqrt());
                if let Kind::Image(image) = primitive.kind() {
                    self.group(image.root(), sheets + 1)?;
                }
            }
        }
        let mut mask = group.mask();
        let mut inner = sheets;
        while let Some(this) = mask {
            inner += 1;
            self.group(this.root(), inner)?;
            mask = this.mask();
        }
        let (mut clip, mut inner) = (group.clip_path(), sheets);
        while let Some(this) = clip {
            inner += 1;
            self.dots += 4.0 * DOTS;
            self.group(this.root(), inner)?;
            clip = this.clip_path();
        }
        for node in group.children() {
            self.reach(node)?;
            match node {
                Node::Group(inner) => self.group(inner, sheets)?,
                Node::Path(path) => self.path(path, sheets)?,
                Node::Image(image) => self.image(image.kind())?,
                Node::Text(_) => {}
            }
        }
        Ok(())
    }

    /// What is far away is not seen, but it is reckoned with.
    fn reach(&self, node: &Node) -> Result<(), String> {
        let (own, on_paper) = (node.stroke_bounding_box(), node.abs_stroke_bounding_box());
        let sides = [on_paper.left(), on_paper.top(), on_paper.right(), on_paper.bottom()];
        let is_near = |side: &f32| side.abs() <= self.farthest;
        match own.width().is_finite() && own.height().is_finite() && sides.iter().all(is_near) {
            true => Ok(()),
            false => Err(format!("it reaches more than {FARTHEST} times as far as it is long")),
        }
    }

    fn path(&mut self, path: &Path, sheets: usize) -> Result<(), String> {
        let paints = path.fill().map(usvg::Fill::paint).into_iter().chain(path.stroke().map(usvg::Stroke::paint));
        for paint in paints {
            let Paint::Pattern(pattern) = paint else { continue };
            let scale = transformed(path.abs_transform(), pattern.transform()).get_scale();
            let rect = pattern.rect();
            let share = self.share(rect.width() * scale.0, rect.height() * scale.1);
            if share > LARGEST_SHARE {
                return Err("the tile of a pattern in it is larger than the drawing".to_owned());
            }
            self.dots += 4.0 * (share + 1.0) * DOTS;
            self.group(pattern.root(), sheets + 1)?;
        }
        if let Some((stroke, dashes)) = path.stroke().and_then(|stroke| Some((stroke, stroke.dasharray()?))) {
            let bounds = path.data().bounds();
            let around = f64::from(bounds.width()) + f64::from(bounds.height());
            let one: f64 = dashes.iter().map(|dash| f64::from(dash.abs())).sum::<f64>().max(f64::from(f32::MIN_POSITIVE));
            self.dashes += path.data().len() as f64 * around / one;
            debug_assert!(stroke.width().get() > 0.0, "a line without width is no line");
            if !self.dashes.is_finite() || self.dashes > MOST_DASHES {
                return Err(format!("its lines have more than {MOST_DASHES} dashes"));
            }
        }
        Ok(())
    }

    fn image(&mut self, kind: &ImageKind) -> Result<(), String> {
        let (ImageKind::PNG(bytes) | ImageKind::JPEG(bytes)) = kind else {
            return Err("a picture is embedded in it that is no PNG or JPEG".to_owned());
        };
        let (w, h) = dots_of(bytes).ok_or("a picture that is embedded in it is damaged")?;
        self.embedded = self.embedded.saturating_add(u64::from(w) * u64::from(h));
        if self.embedded > MOST_DOTS {
            return Err(format!("the pictures that are embedded in it have more than {} million dots", MOST_DOTS / 1_000_000));
        }
        Ok(())
    }
}

fn transformed(outer: Transform, inner: Transform) -> Transform {
    outer.pre_concat(inner)
}

/// What a filter does to each dot. `fine`: dots for each length of the drawing.
fn cost(kind: &Kind, scale: (f32, f32), fine: f64) -> f64 {
    match kind {
        Kind::Turbulence(turbulence) => 64.0 * f64::from(turbulence.num_octaves()),
        Kind::Morphology(morphology) => {
            let across = |radius: f32, scale: f32| (2.0 * f64::from(radius) * f64::from(scale) * fine).max(1.0);
            across(morphology.radius_x().get(), scale.0) * across(morphology.radius_y().get(), scale.1)
        }
        Kind::ConvolveMatrix(convolve) => 4.0 * f64::from(convolve.matrix().columns()) * f64::from(convolve.matrix().rows()),
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 64.0,
        Kind::GaussianBlur(_) | Kind::DropShadow(_) => 24.0,
        Kind::Merge(merge) => 4.0 * merge.inputs().len() as f64,
        _ => 8.0,
    }
}
