//! Projects that build on packages, in an editor: what stands in a package is known, found and checked.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};
use crate::manners::Folder;

const PULLS: &str = r#"{ "textDocument": { "diagnostic": {} } }"#;

pub fn packages(name: &str) -> Folder {
    let folder = Folder::new(name);
    for project in ["tidewar", "reefers", "pond", "pond/house", "pond/gulls"] {
        for entry in fs::read_dir(house().join("tests/packages").join(project)).unwrap() {
            let entry = entry.unwrap().path();
            if entry.is_dir() {
                continue;
            }
            let text = fs::read_to_string(&entry).unwrap();
            folder.file(&format!("{project}/{}", entry.file_name().unwrap().to_str().unwrap()), &text);
        }
    }
    folder
}

fn codes(client: &mut Client, path: &Path) -> Vec<Value> {
    client.pull(path).iter().map(|d| d["code"].clone()).collect()
}

#[test]
fn a_project_is_edited_through_its_packages() {
    let folder = packages("packages");
    let home = folder.0.join("reefers");
    let boats = home.join("boats.banner");
    let rules = folder.0.join("tidewar/rules.banner");
    // only the faction is open in the editor: its rules lie beside
    let mut client = Client::start(&[&home], serde_json::from_str(PULLS).unwrap());
    let text = client.open(&boats);
    assert!(client.pull(&boats).is_empty());

    let at = place(&text, "Tarred", 2);
    let definition = client.at("textDocument/definition", &boats, at);
    let found = definition.as_array().map_or(&definition, |all| &all[0]);
    assert_eq!(found["uri"].as_str().or(found["targetUri"].as_str()), Some(uri(&rules).as_str()), "{definition}");
    let hover = client.at("textDocument/hover", &boats, at);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Takes X less water"), "{hover}");

    client.set(&boats, &text.replace("2 Cockle, 2 Skiff", "3 Cockle, 2 Skiff"));
    assert_eq!(codes(&mut client, &boats), ["limit-broken"]);
    // the rules change on the disk: the faction is checked by what they say now
    let wider = fs::read_to_string(&rules).unwrap().replace("count(boats) <= 4", "count(boats) <= 5");
    fs::write(&rules, wider).unwrap();
    client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(&rules), "type": 2 }] }));
    assert!(client.pull(&boats).is_empty());
    client.end();
}

#[test]
fn a_package_that_is_missing_is_told_at_its_name_in_the_manifest() {
    let folder = packages("package-missing");
    let home = folder.0.join("reefers");
    fs::remove_dir_all(folder.0.join("tidewar")).unwrap();
    let mut client = Client::start(&[&home], serde_json::from_str(PULLS).unwrap());
    let manifest = home.join("banneret.ron");
    assert_eq!(codes(&mut client, &manifest), ["package-missing"]);
    assert!(codes(&mut client, &home.join("boats.banner")).is_empty());
    client.end();
}

#[test]
fn rules_of_the_house_are_edited_like_any_other() {
    let folder = packages("house-rules");
    let home = folder.0.join("pond");
    let (changes, boats) = (home.join("house/rules.banner"), home.join("boats.banner"));
    let mut client = Client::start(&[&home], serde_json::from_str(PULLS).unwrap());
    let text = client.open(&changes);
    let own = client.open(&boats);
    assert!(client.pull(&changes).is_empty() && client.pull(&boats).is_empty());
    // the changed definition is the one that there is
    client.set(&boats, &format!("{own}\nboat Tub {{ hull: 3, keywords: [Tarred 1] }}\n"));
    let definition =
        client.at("textDocument/definition", &boats, place(&format!("{own}\nboat Tub {{ hull: 3, keywords: [Tarred 1] }}\n"), "Tarred", 2));
    let found = definition.as_array().map_or(&definition, |all| &all[0]);
    assert_eq!(found["uri"].as_str().or(found["targetUri"].as_str()), Some(uri(&changes).as_str()), "{definition}");
    // misspelt, it changes nothing, and what it hid is there again
    client.set(&changes, &text.replace("keyword Tarred", "keyword Tared"));
    assert_eq!(codes(&mut client, &changes), ["idle-change"]);
    client.set(&changes, &text);
    assert!(client.pull(&changes).is_empty() && client.pull(&boats).is_empty());
    client.end();
}
