use tower_lsp::ls_types::{Color, ColorInformation, ColorPresentation, ColorPresentationParams, DocumentColorParams};

use crate::ide::colours::colours;
use crate::server::view::View;

pub fn answer(view: &View, params: &DocumentColorParams) -> Vec<ColorInformation> {
    let Some(page) = view.page(&params.text_document.uri) else { return Vec::new() };
    let lines = page.lines();
    let share = |n: u8| f32::from(n) / 255.0;
    let shown = colours(page.text).into_iter().map(|(span, [red, green, blue])| ColorInformation {
        range: lines.range(span),
        color: Color { red: share(red), green: share(green), blue: share(blue), alpha: 1.0 },
    });
    shown.collect()
}

/// How a colour that was picked is written.
pub fn written(params: &ColorPresentationParams) -> Vec<ColorPresentation> {
    let digits = |share: f32| format!("{:02x}", (share.clamp(0.0, 1.0) * 255.0).round() as u8);
    let Color { red, green, blue, .. } = params.color;
    vec![ColorPresentation { label: format!("#{}{}{}", digits(red), digits(green), digits(blue)), ..Default::default() }]
}
