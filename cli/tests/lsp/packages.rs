//! Projects that build on packages, in an editor: what stands in a package is known, found and checked.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, house, place, uri};
use crate::manners::Folder;

const PULLS: &str = r#"{ "textDocument": { "diagnostic": {} } }"#;

pub fn packages(name: &str) -> Folder {
    let folder = Folder::new(name);
    for project in ["tidewar", "tidewar_2", "reefers", "club", "pond", "pond/house", "pond/gulls"] {
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

fn git(folder: &Path, args: &[&str]) {
    let who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"];
    let done = Command::new("git").args(who).args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

fn banneret(folder: &Path, args: &[&str]) {
    let done = Command::new(env!("CARGO_BIN_EXE_banneret")).args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

const GULLS: &str = "use tidewar\n\nboat Gull { hull: 2, keywords: [Tarred 1] }\nfleet Dusk { boats: [5 Gull] }\n";

/// Where something is defined, as the editor is told.
fn defined(client: &mut Client, path: &Path, text: &str, word: &str) -> String {
    let definition = client.at("textDocument/definition", path, place(text, word, 2));
    let found = definition.as_array().map_or(&definition, |all| &all[0]);
    found["uri"].as_str().or(found["targetUri"].as_str()).unwrap_or_else(|| panic!("{definition}")).to_owned()
}

/// A rule system in two versions, one faction on a folder of it and one on a tag of its repository, rules of the house over both: all in one editor at once.
#[test]
fn a_tag_rules_of_the_house_and_two_versions_are_edited_side_by_side() {
    let folder = packages("package-tags");
    let top = folder.0.clone();
    // a repository of the second version
    let source = top.join("source");
    fs::create_dir_all(&source).unwrap();
    for name in ["banneret.ron", "rules.banner"] {
        fs::copy(top.join("tidewar_2").join(name), source.join(name)).unwrap();
    }
    git(&source, &["init", "--quiet"]);
    git(&source, &["add", "--all"]);
    git(&source, &["commit", "--quiet", "--message", "two"]);
    git(&source, &["tag", "v2.0.0"]);
    let url = format!("file://{}", source.display());
    folder.file("gulls/banneret.ron", "(name: \"gulls\", version: \"0.1.0\", rules: \"tidewar\")\n");
    folder.file("gulls/gulls.banner", GULLS);
    banneret(&top.join("gulls"), &["add", "tidewar", "--git", &url, "--tag", "v2.0.0"]);
    // the rules of the house change the tag, for the faction on it as well
    let changed = fs::read_to_string(top.join("pond/house/rules.banner")).unwrap();
    let manifest = format!(
        "(name: \"lake\", version: \"0.1.0\", rules: \"tidewar\", needs: (tidewar: (git: \"{url}\", tag: \"v2.0.0\"), gulls: (path: \"../gulls\")), changes: (tidewar: \"house\"))\n"
    );
    folder.file("lake/banneret.ron", &manifest);
    folder.file("lake/house/rules.banner", &changed);
    folder.file("lake/lake.banner", "use gulls\nuse tidewar\n\nboat Tub { hull: 3, keywords: [Tarred 1] }\n");
    banneret(&top.join("lake"), &["update"]);

    let roots: Vec<_> = ["reefers", "gulls", "club", "pond", "lake"].iter().map(|name| top.join(name)).collect();
    let mut client = Client::start(&roots.iter().map(|root| root.as_path()).collect::<Vec<_>>(), serde_json::from_str(PULLS).unwrap());
    let [reefers, gulls, club, pond, lake] =
        ["reefers/boats.banner", "gulls/gulls.banner", "club/boats.banner", "pond/boats.banner", "lake/lake.banner"]
            .map(|name| top.join(name));
    let texts = [&reefers, &gulls, &club, &pond, &lake].map(|path| client.open(path));
    for path in [&reefers, &gulls, &club, &pond, &lake] {
        assert!(client.pull(path).is_empty(), "{}: {:?}", path.display(), client.pull(path));
    }
    // the same word leads each to the rules that it builds on
    assert_eq!(defined(&mut client, &reefers, &texts[0], "Tarred"), uri(&top.join("tidewar/rules.banner")));
    let of_tag = defined(&mut client, &gulls, &texts[1], "Tarred");
    assert!(of_tag.starts_with(&uri(&top.join("gulls/.banneret/packages"))) && of_tag.ends_with("/rules.banner"), "{of_tag}");
    assert_eq!(defined(&mut client, &lake, &texts[4], "Tarred"), uri(&top.join("lake/house/rules.banner")));
    // the old rules allow four boats, the new ones six: side by side
    client.set(&reefers, &texts[0].replace("2 Cockle, 2 Skiff", "3 Cockle, 2 Skiff"));
    assert_eq!(codes(&mut client, &reefers), ["limit-broken"]);
    client.set(&club, &texts[2].replace("[6 Barge]", "[7 Barge]"));
    assert_eq!(codes(&mut client, &club), ["limit-broken"]);
    client.set(&gulls, &texts[1].replace("[5 Gull]", "[6 Gull]"));
    assert!(client.pull(&gulls).is_empty());
    client.set(&gulls, &texts[1].replace("[5 Gull]", "[7 Gull]"));
    assert_eq!(codes(&mut client, &gulls), ["limit-broken"]);
    // completion and hover speak of the right ones
    let hover = client.at("textDocument/hover", &gulls, place(&texts[1], "Tarred", 2));
    assert!(hover["contents"]["value"].as_str().is_some_and(|words| words.contains("less water")), "{hover}");
    let offered = client.at("textDocument/completion", &lake, place(&texts[4], "Tarred 1", 0));
    assert!(offered.to_string().contains("Tarred"), "{offered}");
    client.end();
}
