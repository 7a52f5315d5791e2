//! Who uses what, what builds on what, and what else is known of a name without asking for all its places.

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};
use crate::documents::Folder;

fn names(steps: &Value, side: &str) -> Vec<String> {
    let all = steps.as_array().unwrap_or_else(|| panic!("{steps}")).iter();
    all.map(|s| if side.is_empty() { &s["name"] } else { &s[side]["name"] }).map(|n| n.as_str().unwrap().to_owned()).collect()
}

#[test]
fn who_uses_an_action_and_what_a_card_uses() {
    let root = house().join("content/worlds_collide");
    let mut client = Client::start(&[&root], json!({ "textDocument": { "diagnostic": {} } }));
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    let heal = client.at("textDocument/prepareCallHierarchy", &path, place(&text, "heal 4", 1));
    assert_eq!(names(&heal, ""), ["heal"]);
    let users = client.ask("callHierarchy/incomingCalls", json!({ "item": heal[0] }));
    assert!(names(&users, "from").contains(&"MotherBisque".to_owned()), "{users}");
    let from = users.as_array().unwrap().iter().find(|u| u["from"]["name"] == "MotherBisque").unwrap();
    assert_eq!(from["fromRanges"][0]["start"]["line"], place(&text, "heal 4", 0).0);
    let bisque = client.at("textDocument/prepareCallHierarchy", &path, place(&text, "unit MotherBisque", 7));
    let used = client.ask("callHierarchy/outgoingCalls", json!({ "item": bisque[0] }));
    assert!(names(&used, "to").contains(&"heal".to_owned()), "{used}");
    client.end();
}

#[test]
fn what_a_card_builds_on_and_what_builds_on_it() {
    let root = house().join("content/worlds_collide");
    let types = json!({ "textDocument": { "diagnostic": {}, "typeHierarchy": { "dynamicRegistration": true } } });
    let mut client = Client::start(&[&root], types);
    let path = root.join("kiln/units.banner");
    let text = client.open(&path);
    let bisque = client.at("textDocument/prepareTypeHierarchy", &path, place(&text, "unit MotherBisque", 7));
    let above = client.ask("typeHierarchy/supertypes", json!({ "item": bisque[0] }));
    assert_eq!(names(&above, ""), ["Pilgrim"], "{above}");
    let below = client.ask("typeHierarchy/subtypes", json!({ "item": above[0] }));
    assert!(names(&below, "").contains(&"MotherBisque".to_owned()), "{below}");
    let kind = client.ask("typeHierarchy/supertypes", json!({ "item": above[0] }));
    assert_eq!(names(&kind, ""), ["Unit"], "{kind}");
    let cards = client.ask("typeHierarchy/subtypes", json!({ "item": kind[0] }));
    assert!(names(&cards, "").len() > 20, "{cards}");
    // the greeting has no word for it: it is announced afterwards
    client.wait_for("it is announced", |client| client.heard.iter().any(|m| m.to_string().contains("textDocument/prepareTypeHierarchy")));
    client.end();
}

const TEXT: &str = "use worlds_collide\n\nkeyword Hasty(x) on Unit {\n  grant this { move +(x * 1s) }\n}\n\n\
    test \"nothing happens\" covers WC-061 {\n}\n";

#[test]
fn a_name_of_one_item_is_changed_in_all_its_places_at_once() {
    let folder = Folder::of("worlds_collide", "linked", &[("a.banner", TEXT)]);
    let mut client = Client::start(&[&folder.0], json!({ "textDocument": { "diagnostic": {} } }));
    let path = folder.0.join("a.banner");
    client.open(&path);
    let ranges = client.at("textDocument/linkedEditingRange", &path, place(TEXT, "x) on", 0))["ranges"].clone();
    let starts: Vec<&Value> = ranges.as_array().unwrap().iter().map(|r| &r["start"]).collect();
    for piece in ["x) on", "x * 1s"] {
        let (line, character) = place(TEXT, piece, 0);
        assert!(starts.contains(&&json!({ "line": line, "character": character })), "{piece}: {starts:?}");
    }
    // what others know too is renamed, with a look at them
    assert!(client.at("textDocument/linkedEditingRange", &path, place(TEXT, "Hasty", 1)).is_null());
    client.end();
}

#[test]
fn the_number_of_a_rule_tells_which_tests_cover_it() {
    let other = TEXT.replace("covers WC-061", "covers WC-999");
    let folder = Folder::of("worlds_collide", "covers", &[("a.banner", TEXT)]);
    let mut client = Client::start(&[&folder.0], json!({ "textDocument": { "diagnostic": {} } }));
    let path = folder.0.join("a.banner");
    client.open(&path);
    let told = client.at("textDocument/hover", &path, place(TEXT, "WC-061", 2))["contents"]["value"].as_str().unwrap().to_owned();
    assert!(told.contains("Covered by \u{201c}nothing happens\u{201d}"), "{told}");
    client.set(&path, &other);
    assert!(client.at("textDocument/hover", &path, place(&other, "WC-999", 2)).is_null(), "there is no such rule");
    client.end();
}

#[test]
fn a_module_is_renamed_by_its_folder() {
    let folder = Folder::of("worlds_collide", "module", &[("a.banner", TEXT)]);
    let mut client = Client::start(&[&folder.0], json!({ "textDocument": { "diagnostic": {} } }));
    let path = folder.0.join("a.banner");
    client.open(&path);
    let (line, character) = place(TEXT, "worlds_collide", 2);
    let at = json!({ "textDocument": { "uri": uri(&path) }, "position": { "line": line, "character": character } });
    let asked = client.send("textDocument/prepareRename", at);
    let why = client.answer(asked)["error"]["message"].to_string();
    assert!(why.contains("give the folder another name"), "{why}");
    client.end();
}
