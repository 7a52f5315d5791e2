//! What the user may set.

use serde::Deserialize;
use tower_lsp::ls_types::LSPAny;

/// The section of the editor's settings that is ours.
pub const SECTION: &str = "banneret";

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Config {
    pub inlay_hints: InlayHints,
    pub odds: Odds,
    pub code_lens: CodeLenses,
}

/// What is offered above the text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CodeLenses {
    pub tests: bool,
    pub odds: bool,
    pub cards: bool,
    pub play: bool,
}

impl Default for CodeLenses {
    fn default() -> Self {
        Self { tests: true, odds: true, cards: true, play: true }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct InlayHints {
    /// Values a card takes because it says nothing.
    pub defaults: bool,
    /// The mean of dice.
    pub means: bool,
}

impl Default for InlayHints {
    fn default() -> Self {
        Self { defaults: true, means: true }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Odds {
    /// Whether hovering works out odds.
    pub enabled: bool,
    /// The card to work them out against; without one, another copy of the same card.
    pub against: Option<String>,
}

impl Default for Odds {
    fn default() -> Self {
        Self { enabled: true, against: None }
    }
}

impl Config {
    /// Reads settings, either the section itself or an object that holds it. What cannot be read is as if it had not been written.
    pub fn read(value: &LSPAny) -> Self {
        let inner = value.get(SECTION).unwrap_or(value);
        serde_json::from_value(inner.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read_from_both_forms() {
        let inner = json!({ "inlayHints": { "means": false }, "odds": { "against": "ClayBrother" } });
        for value in [inner.clone(), json!({ "banneret": inner })] {
            let config = Config::read(&value);
            assert!(config.inlay_hints.defaults && !config.inlay_hints.means && config.odds.enabled);
            assert_eq!(config.odds.against.as_deref(), Some("ClayBrother"));
        }
        assert_eq!(Config::read(&json!({ "odds": 3 })), Config::default());
        assert_eq!(Config::read(&json!(null)), Config::default());
    }
}
