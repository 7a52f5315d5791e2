//! From a card's meaning to what its faces show.

use std::sync::Arc;

use banneret_grammar::span::Span;
use smol_str::SmolStr;

use crate::db::Universe;
use crate::elaborate::elaborate;
use crate::hir::{self, Card, CardValue, Expr, ExprKind, Fun, Key, Region, RegionKind, Template, TextPart};
use crate::items::{Item, is_card};
use crate::key::last_name;
use crate::lower::free::each_child;
use crate::signature::{KeyName, kind_by_key};
use crate::ty::Ty;
use crate::words::{self, SaysOf, TextBlock};

use super::value::{Reader, option_value};
use super::{Face, GridRow, Picture, Place, Printed, Side, Strip, StripKind, Text, faces_of};

/// Sizes of cards that have a name.
const SIZES: &[(&str, i64, i64)] = &[("poker", 63_000, 88_000), ("tarot", 70_000, 120_000)];
const MARGIN: i64 = 3_000;
const BLEED: i64 = 3_000;
/// 8 and 6 points.
const NORMAL: i64 = 2_824;
const SMALLEST: i64 = 2_118;

/// What a card prints; None for what is no card, for templates, and for cards of kinds without a face.
#[salsa::tracked]
pub fn printed<'db>(db: &'db dyn salsa::Database, universe: Universe, item: Item<'db>) -> Option<Arc<Printed>> {
    if !is_card(db, item) {
        return None;
    }
    let hir::Item::Card(card) = &elaborate(db, universe, item).hir else { return None };
    let faces = faces_of(db, universe, KeyName::new(db, card.kind.clone()));
    if card.template || faces.is_empty() {
        return None;
    }
    let mut out = Printed {
        key: card.key.clone(),
        name: card.name.clone(),
        title: card.title.clone(),
        kind: card.kind.clone(),
        of: None,
        faces: Vec::new(),
        name_span: card.name_span,
        places: Vec::new(),
    };
    let reader = Reader { db, universe, card };
    out.of = owner(&reader);
    for decl in faces {
        let hir::Item::Face(face) = &elaborate(db, universe, decl.item).hir else { continue };
        let mut filling = Filling { reader, face, blocks: None, places: &mut out.places };
        let filled = filling.face(decl.side);
        out.faces.push(filled);
    }
    Some(Arc::new(out))
}

fn owner(reader: &Reader) -> Option<Key> {
    let kind = kind_by_key(reader.db, reader.universe, &reader.card.kind)?;
    let field = kind.of_field()?;
    reader.card.values.iter().find(|(key, _)| *key == field.key).and_then(|(_, value)| match value {
        CardValue::Value(Expr { kind: ExprKind::Card(key), .. }) => Some(key.clone()),
        _ => None,
    })
}

/// A face while it is filled in.
pub(super) struct Filling<'a, 'p> {
    pub reader: Reader<'a>,
    pub face: &'a hir::Face,
    /// The rules text of the card, made when it is first needed.
    pub blocks: Option<Vec<TextBlock>>,
    places: &'p mut Vec<Place>,
}

impl<'a> Filling<'a, '_> {
    fn face(&mut self, side: Side) -> Face {
        let (width, height) = self.size();
        let normal = self.length("type").unwrap_or(NORMAL);
        let strips = self.face.regions.iter().filter_map(|region| self.strip(region)).collect();
        Face {
            name: self.face.name.clone(),
            side,
            width,
            height,
            margin: self.length("margin").unwrap_or(MARGIN),
            bleed: self.length("bleed").unwrap_or(BLEED),
            normal,
            smallest: self.length("smallest").unwrap_or(SMALLEST).min(normal),
            strict: self.word("overflow").is_none_or(|word| word != "warning"),
            must_fit: self.face.covers.of("overflow").to_vec(),
            colour: self.setting("colour").and_then(|e| match e.kind {
                ExprKind::Text(text) => Some(text),
                _ => None,
            }),
            strips,
        }
    }

    fn setting(&self, name: &str) -> Option<Expr> {
        let (_, value) = self.face.settings.iter().find(|(n, _)| n == name)?;
        match &value.kind {
            ExprKind::Option(key) => option_value(self.reader.db, self.reader.universe, key),
            _ => self.reader.value(value, self.reader.card),
        }
    }

    fn length(&self, name: &str) -> Option<i64> {
        match self.setting(name)?.kind {
            ExprKind::Int(v) => Some(v),
            _ => None,
        }
    }

    fn word(&self, name: &str) -> Option<SmolStr> {
        match self.setting(name)?.kind {
            ExprKind::Text(word) | ExprKind::Member(_, word) => Some(word),
            _ => None,
        }
    }

    fn size(&self) -> (i64, i64) {
        let named = |word: &str| SIZES.iter().find(|(name, ..)| *name == word).map(|(_, w, h)| (*w, *h));
        let given = self.length("size").zip(self.length("size by"));
        given.or_else(|| named(&self.word("size")?)).or_else(|| named("poker")).unwrap_or_default()
    }

    pub fn place(&mut self, what: &str, span: Span) -> usize {
        let place = Place { what: SmolStr::new(what), span };
        match self.places.iter().position(|p| *p == place) {
            Some(at) => at,
            None => {
                self.places.push(place);
                self.places.len() - 1
            }
        }
    }

    /// Whether a region has a place on this card.
    fn stands(&self, region: &Region) -> bool {
        let Some(only) = &region.only else { return true };
        let something = match self.reader.value(&only.of, self.reader.card).map(|v| v.kind) {
            None | Some(ExprKind::Int(0) | ExprKind::Bool(false)) => false,
            Some(ExprKind::List(list)) => !list.is_empty(),
            Some(_) => true,
        };
        something == only.shown
    }

    fn strip(&mut self, region: &'a Region) -> Option<Strip> {
        if !self.stands(region) {
            return None;
        }
        let this = self.reader.card;
        let places = match &region.kind {
            RegionKind::Title(sides) | RegionKind::Subtitle(sides) | RegionKind::Footer(sides) => {
                let texts = std::iter::once(&sides.left).chain(&sides.right);
                texts.map(|text| self.shown_by(text, this)).collect()
            }
            // what says nothing is left out
            RegionKind::Row(texts) | RegionKind::Stats(texts) => {
                let said = texts.iter().filter(|text| self.said(text, this).is_some()).collect::<Vec<_>>();
                said.into_iter().map(|text| self.shown_by(text, this)).collect()
            }
            _ => Vec::new(),
        };
        let kind = match &region.kind {
            RegionKind::Title(sides) => {
                let (left, right) = self.sides(sides);
                StripKind::Title { left, right }
            }
            RegionKind::Subtitle(sides) => {
                let (left, right) = self.sides(sides);
                StripKind::Subtitle { left, right }
            }
            RegionKind::Footer(sides) => {
                let (left, right) = self.sides(sides);
                StripKind::Footer { left, right }
            }
            RegionKind::Row(texts) => StripKind::Row(texts.iter().filter_map(|t| self.said(&self.spoken(t), this)).collect()),
            RegionKind::Stats(texts) => StripKind::Stats(texts.iter().filter_map(|t| self.stat(t)).collect()),
            RegionKind::Each { list, plural, texts, rules } => self.each(list, plural, texts, *rules),
            RegionKind::Rules => StripKind::Rules(self.rules()),
            RegionKind::Reminders => StripKind::Reminders(self.reminders()),
            RegionKind::Flavour => {
                let flavour = this.flavour.as_ref().map(|words| words::in_language(&self.reader.lookup(), &this.key, words));
                StripKind::Flavour(flavour.unwrap_or_default())
            }
            RegionKind::Table(of) => {
                let of = match of {
                    None => Some(this),
                    Some(field) => match self.reader.value(field, this)?.kind {
                        ExprKind::Card(key) => self.reader.card(&key),
                        _ => None,
                    },
                };
                StripKind::Table(self.table(of?))
            }
            RegionKind::Line => StripKind::Line,
            RegionKind::Picture { field, height, full, own } => {
                let value = self.reader.value(field, this);
                // the path as written has a place of its own, unless it came from another card
                let own_value = this.values.iter().any(|(key, v)| {
                    matches!(v, CardValue::Value(e) if Some(&e.kind) == value.as_ref().map(|v| &v.kind) && e.ty == Ty::Picture)
                        && !this.values_of.iter().any(|(k, _)| k == key)
                });
                let span = value.as_ref().filter(|_| own_value).map_or(this.name_span, |v| v.span);
                let path = value.and_then(|v| match v.kind {
                    ExprKind::Text(path) => Some(path),
                    _ => None,
                });
                StripKind::Picture(Picture { path, height: *height, full: *full, own: *own, at: self.place("", span) })
            }
        };
        Some(Strip { kind, places, optional: region.optional })
    }

    fn sides(&self, sides: &'a hir::Sides) -> (Text, Text) {
        let this = self.reader.card;
        let left = self.said(&self.spoken(&sides.left), this).unwrap_or_default();
        (left, sides.right.as_ref().and_then(|t| self.said(&self.spoken(t), this)).unwrap_or_default())
    }

    /// A text of the face in the language of the cards: other words around the same gaps.
    fn spoken(&self, template: &Template) -> Template {
        let of = face_key(self.face);
        match self.reader.lookup().translated(&of, &template.text) {
            Some(text) => template.with_words(&text),
            None => template.clone(),
        }
    }

    /// A text, unless all its gaps are unset.
    fn said(&self, template: &Template, this: &'a Card) -> Option<Text> {
        let (text, said) = self.reader.filled(template, this);
        said.then_some(text)
    }

    /// The words before the first gap are the label.
    fn labelled(template: &Template) -> (SmolStr, Template) {
        match template.parts.split_first() {
            Some((TextPart::Text(label), rest)) if !rest.is_empty() => {
                let from = template.text.find('{').unwrap_or(0);
                let rest = Template { parts: rest.to_vec(), text: SmolStr::new(&template.text[from..]), span: template.span };
                (SmolStr::new(label.trim().trim_end_matches(':').trim_end()), rest)
            }
            _ => (SmolStr::default(), template.clone()),
        }
    }

    fn stat(&self, template: &Template) -> Option<(SmolStr, Text)> {
        let (label, value) = Self::labelled(&self.spoken(template));
        Some((label, self.said(&value, self.reader.card)?))
    }

    fn each(&mut self, list: &Expr, plural: &str, texts: &[Template], rules: bool) -> StripKind {
        let things: Vec<&'a Card> = match self.reader.value(list, self.reader.card).map(|v| v.kind) {
            Some(ExprKind::List(items)) => items.iter().filter_map(|e| self.thing(e)).collect(),
            Some(ExprKind::Card(key)) => self.reader.card(&key).into_iter().collect(),
            _ => Vec::new(),
        };
        let labelled: Vec<(SmolStr, Template)> = match texts {
            // one text is a line, whatever words it starts with
            [only] => vec![(SmolStr::default(), self.spoken(only))],
            _ => texts.iter().map(|text| Self::labelled(&self.spoken(text))).collect(),
        };
        let mut rows: Vec<GridRow> = Vec::new();
        for thing in things {
            let cells: Vec<Text> = labelled.iter().map(|(_, t)| self.said(t, thing).unwrap_or_default()).collect();
            let at = self.place(&thing.title, self.span_of(thing));
            let places = texts.iter().map(|text| self.shown_by(text, thing)).collect();
            let mut rules = if rules { self.rules_of(thing, at) } else { Vec::new() };
            // what the row says already is not said again
            let shown: Vec<String> = cells.iter().map(|cell| cell.iter().map(|run| run.text.as_str()).collect()).collect();
            rules.iter_mut().for_each(|p| p.costs.retain(|(_, value)| !shown.contains(value)));
            rows.push(GridRow { cells, places, rules, at });
        }
        if labelled.len() == 1 {
            return StripKind::Lines(rows);
        }
        // a column that nobody fills is not there
        let used: Vec<bool> = (0..labelled.len()).map(|i| rows.iter().any(|r| r.cells.get(i).is_some_and(|c| !c.is_empty()))).collect();
        let keep = |i: usize| used.get(i).copied().unwrap_or(false);
        let mut heads: Vec<SmolStr> = labelled.into_iter().map(|(label, _)| label).collect();
        if let Some(first) = heads.first_mut().filter(|first| first.is_empty()) {
            let kind = match &list.ty {
                Ty::Set(kind) | Ty::List(kind) => match &**kind {
                    Ty::Kind(kind) => words::heading(&self.reader.lookup(), kind),
                    _ => None,
                },
                _ => None,
            };
            let mut words = kind.unwrap_or_else(|| crate::items::spaced(plural).to_string());
            if let Some(letter) = words.get_mut(0..1) {
                letter.make_ascii_uppercase();
            }
            *first = words.into();
        }
        let heads = heads.into_iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, h)| h).collect();
        for row in &mut rows {
            row.cells = std::mem::take(&mut row.cells).into_iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, c)| c).collect();
            row.places = std::mem::take(&mut row.places).into_iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, p)| p).collect();
        }
        StripKind::Grid { heads, rows }
    }

    fn thing(&self, expr: &Expr) -> Option<&'a Card> {
        match &expr.kind {
            ExprKind::Card(key) => self.reader.card(key),
            _ => None,
        }
    }

    /// The place of what a text of the face shows of a card or part: of the first value that is written in this item, else of the name.
    fn shown_by(&mut self, text: &Template, of: &Card) -> usize {
        let own = of.key == self.reader.card.key || self.span_of(of) != self.reader.card.name_span;
        let mut gaps = text.parts.iter().filter_map(|part| match part {
            TextPart::Text(_) => None,
            TextPart::Value(e) | TextPart::Article(e) | TextPart::Plural(e, ..) => Some(e),
        });
        let written = gaps.find_map(|gap| written(gap, of)).filter(|_| own);
        let span = written.unwrap_or_else(|| self.span_of(of));
        self.place("", span)
    }

    /// Where a part stands in the card's item, or the card if it came from elsewhere.
    pub fn span_of(&self, part: &Card) -> Span {
        let own = self.reader.card;
        let nested = own.parts.iter().chain(own.rows.iter().map(|(_, _, row)| row)).any(|p| p.key == part.key);
        if nested && part.of.is_none() { part.name_span } else { own.name_span }
    }
}

/// Where the value of a field that an expression reads stands in a card, unless it was inherited; or its name, if that is read.
fn written(expr: &Expr, of: &Card) -> Option<Span> {
    if let ExprKind::Fun(Fun::NameOf, _) = &expr.kind {
        return Some(of.name_span);
    }
    if let ExprKind::Field { base, field, .. } = &expr.kind
        && matches!(base.kind, ExprKind::This | ExprKind::Part)
    {
        if of.values_of.iter().any(|(known, _)| last_name(known) == last_name(field)) {
            return None;
        }
        return of.values.iter().find(|(key, _)| last_name(key) == last_name(field)).and_then(|(_, value)| match value {
            CardValue::Value(value) => Some(value.span),
            _ => None,
        });
    }
    let mut found = None;
    each_child(expr, &mut |child| found = found.or_else(|| written(child, of)));
    found
}

/// What the texts of a face belong to in a catalogue.
pub fn face_key(face: &hir::Face) -> String {
    format!("{}/{}", face.of, face.name)
}
