//! What to do about a card that is too full, the cheapest first.

use banneret_compiler::printed::{Face, Printed, StripKind};

use crate::layout::Verdict;

/// The advice of a message: what would be enough, with how much it frees.
pub fn mends(card: &Printed, face: &Face, verdict: &Verdict) -> String {
    let mut advice: Vec<String> = Vec::new();
    if verdict.reminders > 0.0 {
        let enough = if verdict.reminders >= verdict.over { ", which is enough" } else { "" };
        advice.push(format!("make the reminders `optional` in the face (they take {:.1} mm{enough})", verdict.reminders));
    }
    let what = |at: usize| card.places.get(at).map(|p| p.what.as_str()).unwrap_or_default();
    let line = verdict.parts.iter().filter(|p| p.lines > 0).map(|p| p.millimetres / p.lines as f32).fold(0.0, f32::max);
    let lines = if line > 0.0 { (verdict.over / line).ceil().max(1.0) as usize } else { verdict.over_lines };
    let longest = verdict.parts.iter().max_by(|a, b| a.millimetres.total_cmp(&b.millimetres));
    if let Some(longest) = longest {
        let name = what(longest.at);
        let name = if name.is_empty() { "its own rules".to_string() } else { format!("“{name}”") };
        if longest.lines > lines {
            advice.push(format!("say {name} in {} with `says \"…\"`", counted(longest.lines - lines)));
        }
        advice.push(format!("make {name} a keyword that other cards share"));
    }
    let smallest = verdict.parts.iter().filter(|p| p.millimetres >= verdict.over).min_by(|a, b| a.millimetres.total_cmp(&b.millimetres));
    if let Some(smallest) = smallest {
        let name = what(smallest.at);
        if !name.is_empty() {
            advice.push(format!("leave out “{name}”"));
        }
    }
    if advice.is_empty() {
        let has_picture = face.strips.iter().any(|s| matches!(&s.kind, StripKind::Picture(p) if p.height.is_some() && !p.full));
        advice.push(if has_picture { "give the picture less height in the face" } else { "shorten its texts" }.to_string());
    }
    let mut out = advice.join("; or ");
    if let Some(first) = out.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    out.push('.');
    out
}

fn counted(lines: usize) -> String {
    if lines == 1 { "1 line".to_string() } else { format!("{lines} lines") }
}
