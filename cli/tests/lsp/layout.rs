//! Formatting, symbols and folding.

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};

fn applied(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + position["character"].as_u64().unwrap() as usize
    };
    let mut out = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        out.replace_range(offset(&edit["range"]["start"])..offset(&edit["range"]["end"]), edit["newText"].as_str().unwrap());
    }
    out
}

#[test]
fn a_card_is_drawn_beside_its_text_and_what_does_not_fit_is_told() {
    let root = house().join("content/worlds_collide");
    let mut client = Client::start(&[&root], json!({ "textDocument": { "diagnostic": {} } }));
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    let cards = client.at("banneret/cards", &path, place(&text, "ability GoldMend", 3));
    assert_eq!((cards.as_array().unwrap().len(), &cards[0]["name"]), (1, &json!("MotherBisque")));
    let sides = cards[0]["sides"].as_array().unwrap();
    assert!(sides.iter().all(|s| s["svg"].as_str().unwrap().starts_with("<svg") && s["over"].is_null()) && sides.len() == 2);
    let mend = cards[0]["places"]
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["what"] == "Gold Mend")
        .unwrap_or_else(|| panic!("{}", cards[0]["places"]));
    assert_eq!(mend["range"]["start"]["line"], place(&text, "ability GoldMend", 0).0);
    // where on the card it is, in shares, and all of it in the text
    let of = |cards: &Value, line: u32| {
        let areas = cards[0]["sides"][0]["areas"].as_array().unwrap().iter();
        let found = areas.filter(|a| a["to"]["start"]["line"] == line).cloned().collect::<Vec<Value>>();
        assert!(!found.is_empty(), "nothing of line {line}: {}", cards[0]["sides"][0]["areas"]);
        found
    };
    let line = place(&text, "ability GoldMend", 0).0;
    let area = of(&cards, line)[0].clone();
    let share = |name: &str| area[name].as_f64().unwrap();
    assert!(share("top") > 0.1 && share("height") > 0.02 && share("top") + share("height") < 1.0, "{area}");
    assert!(area["whole"]["end"]["line"].as_u64().unwrap() > u64::from(line), "{area}");
    let title = of(&cards, place(&text, "unit MotherBisque", 0).0)[0].clone();
    assert!(title["top"].as_f64().unwrap() < share("top"), "{title}");
    of(&cards, place(&text, "flavour:", 0).0);
    // a number of the card leads to its value, one of a weapon to the weapon's
    for (piece, into) in [("health: 16", 8), ("move: 6s", 6), ("attacks: 2", 9), ("training: [Leadership", 10), ("points: 58", 8)] {
        let (line, character) = place(&text, piece, into);
        let found = of(&cards, line);
        assert!(found.iter().any(|a| a["to"]["start"]["character"] == character), "{piece}: {found:?}");
    }
    // what it has from what it builds on leads to its name
    let base = place(&text, "unit MotherBisque", 5);
    assert!(of(&cards, base.0).len() >= 2);
    let red = "#c61818";
    assert!(!sides[0]["svg"].as_str().unwrap().contains(red), "everything fits");
    // what was typed and not saved is drawn
    let more: String =
        (0..40).map(|i| format!("  ability More{i} {{ after strike by this where hit {{ heal {} to this }} }}\n", i + 1)).collect();
    client.set(&path, &text.replace("  ability GoldMend", &format!("{more}  ability GoldMend")));
    let cards = client.at("banneret/cards", &path, place(&text, "unit MotherBisque", 7));
    assert!(cards[0]["sides"][0]["over"]["lines"].as_u64().unwrap() > 5, "{}", cards[0]["sides"][0]["over"]);
    assert!(cards[0]["places"].as_array().unwrap().iter().any(|p| p["lost"] == true));
    // all of it is drawn, and what does not fit is red
    let side = &cards[0]["sides"][0];
    assert!(side["svg"].as_str().unwrap().contains(red));
    assert!(side["areas"].as_array().unwrap().iter().filter(|a| a["to"] != title["to"]).count() >= 41, "{}", side["areas"]);
    let all = client.ask("banneret/cards", json!({ "textDocument": { "uri": uri(&path) } }));
    assert!(all.as_array().unwrap().len() > 5);
    client.end();
}

#[test]
fn documents_and_ranges_are_formatted() {
    let root = house().join("content/worlds_collide");
    let path = root.join("kiln/tactics.banner");
    let mut client = Client::start(&[&root], json!({}));
    let neat = client.open(&path);
    let untidy = neat.replace("  knack: 4+\n", "     knack:4+\n").replace("knack: 3+", "knack:3+");
    assert_ne!(neat, untidy);
    client.set(&path, &untidy);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let edits = client.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri(&path) }, "options": options }));
    assert_eq!(applied(&untidy, &edits), neat);
    let (line, _) = place(&untidy, "tactic BankTheFire", 0);
    let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
    let edits =
        client.ask("textDocument/rangeFormatting", json!({ "textDocument": { "uri": uri(&path) }, "range": range, "options": options }));
    assert_eq!(applied(&untidy, &edits), untidy.replace("knack:3+", "knack: 3+"));
    client.end();
}

#[test]
fn symbols_and_folds_are_those_of_the_unsaved_text() {
    let root = house().join("content/worlds_collide");
    let path = root.join("kiln/units.banner");
    let mut client = Client::start(&[&root], json!({}));
    let text = client.open(&path);
    client.set(&path, &format!("{text}\nunit Unsaved of KilnPilgrims from Pilgrim {{\n  weapon Spoon {{ "));
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri(&path) } }));
    let symbols = symbols.as_array().unwrap();
    let mother = symbols.iter().find(|s| s["name"] == "MotherBisque").unwrap();
    assert_eq!(mother["detail"], "unit \u{201c}Mother Bisque\u{201d}");
    let parts: Vec<&str> = mother["children"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(parts, ["RollingRod", "GoldMend", "HerPilgrims"]);
    assert_eq!(symbols.last().unwrap()["name"], "Unsaved");
    let folds = client.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": uri(&path) } }));
    let (line, _) = place(&text, "unit MotherBisque", 0);
    assert!(folds.as_array().unwrap().iter().any(|f| f["startLine"] == line), "{folds}");
    assert!(folds.as_array().unwrap().iter().any(|f| f["kind"] == "imports"), "{folds}");
    client.end();
}
