//! Hover, signatures, hints, colours, symbols, selections, highlights and links.

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};

fn client() -> (Client, std::path::PathBuf) {
    let root = house().join("content/worlds_collide");
    (Client::start(&[&root], json!({})), root)
}

fn markdown(hover: &Value) -> &str {
    hover["contents"]["value"].as_str().unwrap_or_else(|| panic!("no words: {hover}"))
}

#[test]
fn hovering_tells_what_a_word_is() {
    let (mut client, root) = client();
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    // a card: title, stats of its own and of what it builds on, words made from its rules
    let roster = root.join("kiln/roster.banner");
    let lists = client.open(&roster);
    let hover = client.at("textDocument/hover", &roster, place(&lists, "MotherBisque", 3));
    let words = markdown(&hover);
    assert!(words.contains("**Mother Bisque**") && words.contains("health 16") && words.contains("base 1s"), "{words}");
    assert!(words.contains("Rolling Rod") && words.contains("damage 4"), "{words}");
    assert!(words.contains("+1 Defense") || words.contains("Defense"), "{words}");
    // a field: type, range, meaning, and the rule it comes from
    let hover = client.at("textDocument/hover", &path, place(&text, "health: 16", 2));
    let words = markdown(&hover);
    assert!(words.contains("health: Int 1..") && words.contains("Hit points") && words.contains("**WC-130**"), "{words}");
    // a name of one item
    let hover = client.at("textDocument/hover", &path, place(&text, "heal 4 to ally", 11));
    assert!(markdown(&hover).contains("ally") || markdown(&hover).contains("Unit"), "{hover}");
    // an action
    let hover = client.at("textDocument/hover", &path, place(&text, "heal 4 to ally", 1));
    assert!(markdown(&hover).contains("action heal"), "{hover}");
    // the number of a rule
    let missions = root.join("case.banner");
    client.open_text(&missions, "use worlds_collide\n\ntest \"x\" covers WC-130 {\n  expect count(units) == 0\n}\n");
    let hover = client.at("textDocument/hover", &missions, (2, 20));
    assert!(markdown(&hover).starts_with("**WC-130**"), "{hover}");
    let hover = client.at("textDocument/hover", &missions, (3, 11));
    assert!(markdown(&hover).contains("count(SET)"), "{hover}");
    client.end();
}

#[test]
fn hovering_over_a_weapon_tells_its_exact_odds() {
    let root = house().join("content/worlds_collide");
    let path = root.join("kiln/units.banner");
    let hover = |options: Value| {
        let mut client = Client::start_with(&[&root], json!({}), options);
        let text = client.open(&path);
        let hover = client.at("textDocument/hover", &path, place(&text, "weapon Maul", 8));
        let words = markdown(&hover).to_owned();
        client.end();
        words
    };
    let words = hover(json!(null));
    assert!(words.contains("damage 4") && words.contains("Against another ClayBrother, exactly: wounds "), "{words}");
    let words = hover(json!({ "odds": { "against": "GlazedPenitent" } }));
    assert!(words.contains("Against GlazedPenitent, exactly: wounds "), "{words}");
    let words = hover(json!({ "odds": { "enabled": false } }));
    assert!(!words.contains("exactly"), "{words}");
}

#[test]
fn signatures_are_shown_while_a_sentence_is_written() {
    let (mut client, root) = client();
    let path = root.join("kiln/case.banner");
    let text = "tactic X of KilnPilgrims {\n  knack: 4+\n  effect {\n    deal 3 to \n    let n = max(1, \n  }\n}\n";
    client.open_text(&path, text);
    let help = client.at("textDocument/signatureHelp", &path, place(text, "deal 3 to ", 10));
    let signature = &help["signatures"][0];
    assert!(signature["label"].as_str().unwrap().starts_with("deal AMOUNT to"), "{help}");
    let active = help["activeParameter"].as_u64().unwrap() as usize;
    let label = signature["label"].as_str().unwrap();
    let range = &signature["parameters"][active]["label"];
    let (from, to) = (range[0].as_u64().unwrap() as usize, range[1].as_u64().unwrap() as usize);
    assert!(label[from..to].starts_with("to "), "{}", &label[from..to]);
    let help = client.at("textDocument/signatureHelp", &path, place(text, "max(1, ", 7));
    assert_eq!(help["signatures"][0]["label"], "max(A, B)");
    assert_eq!(help["activeParameter"], 1);
    client.end();
}

#[test]
fn hints_tell_defaults_and_means_and_can_be_turned_off() {
    let root = house().join("content/worlds_collide");
    let path = root.join("kiln/case.banner");
    let text = "token Spark {\n  base: 1s\n}\n\ntactic X of KilnPilgrims {\n  knack: 4+\n  effect { heal (roll 2d6+1) to activated }\n}\n";
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let ask = |client: &mut Client| {
        let hints = client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri(&path) }, "range": whole }));
        hints.as_array().unwrap().iter().map(|h| h["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut client = Client::start(&[&root], json!({}));
    client.open_text(&path, text);
    assert_eq!(ask(&mut client), ["(area: 0s)", "(cost: 0 AP)", "\u{2300} 8"]);
    client.tell("workspace/didChangeConfiguration", json!({ "settings": { "banneret": { "inlayHints": { "defaults": false } } } }));
    assert_eq!(ask(&mut client), ["\u{2300} 8"]);
    client.end();
    let mut client = Client::start_with(&[&root], json!({}), json!({ "inlayHints": { "defaults": false, "means": false } }));
    client.open_text(&path, text);
    assert!(ask(&mut client).is_empty());
    client.end();
}

/// Tokens with their texts and kinds.
fn decoded(client: &Client, text: &str, data: &Value) -> Vec<(String, String)> {
    let types = &client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"];
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut line, mut column) = (0, 0);
    let numbers: Vec<usize> = data.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let mut out = Vec::new();
    for token in numbers.chunks(5) {
        line += token[0];
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        let units: Vec<u16> = lines[line].encode_utf16().skip(column).take(token[2]).collect();
        assert_eq!(units.len(), token[2], "a token ends with its line");
        out.push((String::from_utf16(&units).unwrap(), types[token[3]].as_str().unwrap().to_owned()));
    }
    out
}

#[test]
fn colours_follow_meaning_and_do_not_overlap() {
    let (mut client, root) = client();
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    let full = client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri(&path) } }));
    let tokens = decoded(&client, &text, &full["data"]);
    for (word, kind) in [
        ("MotherBisque", "struct"),
        ("health", "property"),
        ("Glazed", "enumMember"),
        ("heal", "method"),
        ("units", "class"),
        ("wounded", "function"),
        ("ally", "variable"),
        ("16", "number"),
        ("grant", "keyword"),
    ] {
        assert!(
            tokens.contains(&(word.to_owned(), kind.to_owned())),
            "{word} {kind}: {:?}",
            tokens.iter().filter(|t| t.0 == word).collect::<Vec<_>>()
        );
    }
    let (line, _) = place(&text, "unit MotherBisque", 0);
    let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 3, "character": 0 } });
    let part = client.ask("textDocument/semanticTokens/range", json!({ "textDocument": { "uri": uri(&path) }, "range": range }));
    let part = decoded(&client, &text, &part["data"]);
    assert!(part.len() > 10 && part.len() < tokens.len() && tokens.windows(part.len()).any(|w| w == part), "{part:?}");
    client.end();
}

#[test]
fn symbols_of_the_workspace_are_found_by_some_of_their_letters() {
    let (mut client, root) = client();
    let found = client.ask("workspace/symbol", json!({ "query": "mthrbsq" }));
    assert_eq!(found[0]["name"], "MotherBisque");
    assert_eq!(found[0]["location"]["uri"], uri(&root.join("kiln/units.banner")));
    let all = client.ask("workspace/symbol", json!({ "query": "" }));
    assert!(all.as_array().unwrap().len() > 50);
    client.end();
}

#[test]
fn selections_grow_from_word_to_file() {
    let (mut client, root) = client();
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    let (line, character) = place(&text, "heal 4 to ally", 1);
    let params = json!({ "textDocument": { "uri": uri(&path) }, "positions": [{ "line": line, "character": character }] });
    let ranges = client.ask("textDocument/selectionRange", params);
    let (mut at, mut sizes) = (&ranges[0], Vec::new());
    while !at.is_null() {
        let (start, end) = (&at["range"]["start"], &at["range"]["end"]);
        sizes.push((
            end["line"].as_u64().unwrap() - start["line"].as_u64().unwrap(),
            start["character"].as_u64(),
            end["character"].as_u64(),
        ));
        at = &at["parent"];
    }
    assert_eq!(sizes[0], (0, Some(6), Some(10)), "the word `heal`: {sizes:?}");
    assert!(sizes.len() >= 5 && sizes.windows(2).all(|w| w[0].0 <= w[1].0), "{sizes:?}");
    assert_eq!(sizes.last().unwrap().0, text.matches('\n').count() as u64);
    client.end();
}

#[test]
fn highlights_mark_the_same_thing_and_nothing_else() {
    let (mut client, root) = client();
    let path = root.join("kiln/case.banner");
    let text =
        "tactic X of KilnPilgrims {\n  knack: 4+\n  effect {\n    let n = 2\n    deal n to activated\n    heal n to activated\n  }\n}\n";
    client.open_text(&path, text);
    let marks = client.at("textDocument/documentHighlight", &path, place(text, "deal n", 5));
    let lines: Vec<u64> = marks.as_array().unwrap().iter().map(|m| m["range"]["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5]);
    assert_eq!(marks[0]["kind"], 3, "the declaration");
    client.end();
}

#[test]
fn links_lead_to_pictures_and_modules() {
    let (mut client, root) = client();
    let path = root.join("kiln/units.banner");
    client.open(&path);
    let links = client.ask("textDocument/documentLink", json!({ "textDocument": { "uri": uri(&path) } }));
    let targets: Vec<&str> = links.as_array().unwrap().iter().map(|l| l["target"].as_str().unwrap()).collect();
    assert!(targets.iter().any(|t| t.contains("/art/")), "{targets:?}");
    assert!(targets.iter().any(|t| t.contains("/common/")), "{targets:?}");
    assert!(targets.iter().any(|t| t.contains("/stdlib/worlds_collide/")), "{targets:?}");
    for target in targets {
        assert!(std::path::Path::new(target.strip_prefix("file://").unwrap()).is_file(), "{target}");
    }
    client.end();
}
