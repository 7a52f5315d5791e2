//! What the page shows of a project: cards that can be drawn, what is wrong, and a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use banneret_cards::layout::Layouter;
use banneret_compiler::api::PrintedCard;
use banneret_compiler::diagnostic::Severity;
use banneret_compiler::key::short;
use banneret_compiler::printed::{Face, Side, StripKind, Text};
use banneret_lsp::ide::{Ide, sums};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::commands::cards::files::hash;
use crate::commands::cards::with_reference;
use crate::report::{Finding, Report};
use crate::session::{Open, Session};
use crate::sources::Art;

/// The project at one moment.
#[derive(Default)]
pub struct Picture {
    pub version: u64,
    pub json: Value,
    /// Sides as SVG, by a name that is another one when they change.
    pub sides: BTreeMap<String, Arc<String>>,
}

impl Picture {
    /// Draws what changed since another picture. One bad card keeps no other from being shown.
    pub fn of(session: &Session, version: u64, before: &Picture) -> Self {
        let mut sides = BTreeMap::new();
        let mut cards = Vec::new();
        let mut report = Report::default();
        for open in &session.open {
            session.check_one(open, &mut report);
            let Some(id) = open.id else { continue };
            let art = Art::of(&open.project);
            let ide = Ide { db: session.workspace.db(), universe: session.workspace.universe(id) };
            for (card, drawn) in drawn(with_reference(session, id), open, &art, before) {
                let shown: Vec<Value> = drawn.iter().map(|side| side.json.clone()).collect();
                sides.extend(drawn.into_iter().map(|side| (side.name, side.svg)));
                let printed = &card.printed;
                let line = open.project.files.iter().find(|f| f.shown == card.file).map(|f| {
                    let at = (card.start + printed.name_span.start) as usize;
                    f.text.get(..at).unwrap_or_default().matches('\n').count() + 1
                });
                let file = session.workspace.file(id, &card.file);
                let item = file.and_then(|file| ide.item_at(file, card.start));
                let numbers = item.map(|item| sums::numbers(ide, item)).unwrap_or_default();
                cards.push(json!({
                    "name": printed.name.as_str(), "title": printed.title.as_str(), "kind": short(&printed.kind),
                    "of": printed.of.as_deref().map(short), "file": relative(&card.file, &open.project.root), "line": line, "sides": shown, "stats": stats(&printed.faces, numbers),
                }));
            }
        }
        let findings: Vec<Value> = report.findings.iter().map(|f| finding(&report, f, session)).collect();
        let names: Vec<String> = session.open.iter().map(|open| open.project.name()).collect();
        Self { version, json: json!({ "version": version, "project": names.join(", "), "cards": cards, "findings": findings }), sides }
    }
}

struct Drawn {
    name: String,
    svg: Arc<String>,
    json: Value,
}

fn drawn(cards: Vec<PrintedCard>, open: &Open, art: &Art, before: &Picture) -> Vec<(PrintedCard, Vec<Drawn>)> {
    let project = open.project.name();
    let one = |layouter: &mut Layouter, card: PrintedCard| {
        let sides = card.printed.faces.iter().map(|face| {
            let name = format!("{project}-{}-{}-{:016x}", card.printed.name, face.name, hash(face, art));
            let verdict = layouter.verdict(face);
            let known = before.sides.get(&name).cloned();
            let svg = known.unwrap_or_else(|| Arc::new(banneret_cards::svg(&layouter.draw(face, art).0.trimmed(), &card.printed.title)));
            let side = if face.side == Side::Front { "front" } else { "back" };
            let over = (!verdict.fits).then(|| json!({ "millimetres": (verdict.over * 10.0).round() / 10.0, "lines": verdict.over_lines }));
            let json = json!({ "side": side, "src": format!("/side/{name}.svg"), "over": over, "width": face.width / 1000, "height": face.height / 1000 });
            Drawn { name, svg, json }
        });
        let sides = sides.collect();
        (card, sides)
    };
    cards.into_par_iter().map_init(Layouter::default, |layouter, card| one(layouter, card)).collect()
}

/// The numbers that stand on a card, by their labels; then those it says besides, by their fields.
fn stats(faces: &[Face], numbers: Vec<(String, i64)>) -> Value {
    let text = |runs: &Text| runs.iter().map(|run| run.text.as_str()).collect::<String>();
    let mut out: Vec<(String, String)> = Vec::new();
    for strip in faces.iter().flat_map(|face| &face.strips) {
        if let StripKind::Stats(all) = &strip.kind {
            out.extend(all.iter().map(|(label, value)| (label.to_string(), text(value))));
        }
    }
    let besides = numbers.into_iter().filter(|(field, _)| !out.iter().any(|(label, _)| label.eq_ignore_ascii_case(field)));
    let besides: Vec<(String, String)> = besides.map(|(field, n)| (field, n.to_string())).collect();
    json!(besides.into_iter().chain(out).collect::<Vec<_>>())
}

/// A path below the folder of its project.
fn relative<'a>(path: &'a str, root: &str) -> &'a str {
    path.strip_prefix(root.trim_end_matches('/')).map_or(path, |below| below.trim_start_matches('/'))
}

fn finding(report: &Report, f: &Finding, session: &Session) -> Value {
    let file = session.open.iter().fold(f.file.as_str(), |file, open| relative(file, &open.project.root));
    let line = f.span.map(|span| report.range(&f.file, span).start.line);
    let severity = if f.severity == Severity::Error { "error" } else { "warning" };
    json!({ "file": file, "line": line, "code": f.code.to_string(), "severity": severity, "headline": f.headline, "help": f.help })
}
