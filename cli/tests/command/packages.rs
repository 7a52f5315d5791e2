//! Projects that build on packages: by path, by tag, under another name, in two versions; fetched, copied, changed and missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Folder, copy_folder};

/// With the projects of `tests/packages`.
fn packages() -> Folder {
    let folder = Folder::new();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/packages"), folder.path());
    folder
}

fn git(folder: &Path, args: &[&str]) {
    let who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"];
    let done = Command::new("git").args(who).args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

/// A repository of the rules with a tag for each version, and its address.
fn repository(folder: &Folder) -> String {
    let rules = folder.path().join("tidewar");
    git(&rules, &["init", "--quiet"]);
    git(&rules, &["add", "--all"]);
    git(&rules, &["commit", "--quiet", "--message", "one"]);
    git(&rules, &["tag", "v1.0.0"]);
    for name in ["banneret.ron", "rules.banner"] {
        std::fs::copy(folder.path().join("tidewar_2").join(name), rules.join(name)).unwrap();
    }
    git(&rules, &["commit", "--quiet", "--all", "--message", "two"]);
    git(&rules, &["tag", "v2.0.0"]);
    format!("file://{}", rules.display())
}

const GULLS: &str = "use tidewar\n\nboat Gull { hull: 2 }\nfleet Dusk { boats: [5 Gull] }\n\ntest \"a tide\" {\n  given Gull as gull\n  do tide\n  expect gull.soaked == 1\n}\n";

fn gulls() -> Folder {
    packages().file("gulls/banneret.ron", "(name: \"gulls\", version: \"0.1.0\", rules: \"tidewar\")\n").file("gulls/gulls.banner", GULLS)
}

#[test]
fn every_command_works_through_packages_in_folders() {
    let folder = packages();
    for project in ["reefers", "club"] {
        folder.run(&["check", project]).is(0);
        folder.run(&["test", project]).is(0).says("1 passed, 0 failed");
        folder.run(&["build", project]).is(0);
        folder.run(&["play", project, "--seed", "3", "--most", "50"]);
        folder.run(&["fmt", "--check", project]).is(0);
    }
    folder.run(&["show", "Cockle", "reefers"]).is(0).says("Tarred 1");
    folder.run(&["cards", "reefers", "-o", "printed"]).is(0);
    let odds = ["odds", "reefers", "--given", "Skiff as s", "--do", "do tide", "s.soaked"];
    folder.run(&odds).is(0);
}

/// A rule system, a faction by path, one by tag, rules of the house over both, two versions at once.
#[test]
fn every_command_works_on_every_sort_of_project() {
    let folder = gulls();
    let url = repository(&folder);
    folder.run_in(&PathBuf::from("gulls"), &["add", "tidewar", "--git", &url, "--tag", "v2.0.0"]).is(0);
    // the house changes the rules for the faction by path and for the one by tag
    let manifest = format!(
        "(name: \"lake\", version: \"0.1.0\", rules: \"tidewar\", needs: (tidewar: (git: \"{url}\", tag: \"v2.0.0\"), gulls: (path: \"../gulls\")), changes: (tidewar: \"house\"))\n"
    );
    let house = folder.read("pond/house/rules.banner");
    let own = "use gulls\nuse tidewar with flood = 5\n\ntest \"a shallow lake\" {\n  given Gull as gull\n  do tide\n  expect gull.soaked == 1\n}\n";
    let folder = folder.file("lake/banneret.ron", manifest).file("lake/house/rules.banner", house).file("lake/lake.banner", own);
    folder.run_in(&PathBuf::from("lake"), &["update"]).is(0);
    // whoever builds on the folder of the rules has the first version of them
    git(&folder.path().join("tidewar"), &["checkout", "--quiet", "v1.0.0"]);
    // project, a card that it has or builds on
    for (project, card) in
        [("tidewar_2", "Raft"), ("reefers", "Cockle"), ("gulls", "Gull"), ("pond", "Raft"), ("lake", "Gull"), ("club", "Barge")]
    {
        folder.run(&["check", project]).is(0);
        folder.run(&["test", project]).is(0).says("1 passed, 0 failed");
        folder.run(&["build", project, "-o", "packed"]).is(0);
        folder.run(&["fmt", "--check", project]).is(0);
        folder.run(&["show", card, project]).is(0);
        folder.run(&["diff", project, project]).is(0).says("nothing changed");
        folder.run(&["play", project, "--seed", "3"]).is(0).says("The game is over");
        folder.run(&["odds", project, "--given", &format!("{card} as b"), "--do", "do tide", "b.soaked"]).is(0);
        if project != "lake" {
            folder.run(&["cards", project, "-o", "printed"]).is(0);
        }
    }
    folder.run(&["verify", "packed/lake.pack"]).is(0).says("fine");
}

/// Release notes of a faction tell what the rules beneath it brought.
#[test]
fn newer_rules_are_told_of_what_is_built_on_them() {
    let folder = packages();
    copy_folder(&folder.path().join("reefers"), &folder.path().join("newer"));
    let manifest = folder.read("newer/banneret.ron").replace("../tidewar", "../tidewar_2").replace("1.0\"", "2.0\"");
    let folder = folder.file("newer/banneret.ron", manifest);
    folder.run(&["diff", "reefers", "newer"]).is(1).says("kind Fleet: rewritten").says("count(boats) <= 6");
}

#[test]
fn what_comes_with_banneret_is_needed_like_any_package() {
    let folder =
        Folder::new().file("f/banneret.ron", "(name: \"f\", version: \"0.1.0\", rules: \"flux\")\n").file("f/a.banner", "use flux\n");
    let home = PathBuf::from("f");
    folder.run_in(&home, &["add", "fluks"]).is(2).complains("Did you mean `flux`?");
    folder.run_in(&home, &["add", "flux"]).is(0);
    assert!(folder.read("f/banneret.ron").contains("flux: (version: \""), "{}", folder.read("f/banneret.ron"));
    folder.run(&["check", "f"]).is(0);
    let folder = folder.file("f/banneret.ron", "(name: \"f\", version: \"0.1.0\", rules: \"flux\", needs: (flux: (version: \"9\")))\n");
    folder.run(&["check", "f"]).is(1).says("package-version").says("It comes with Banneret");
}

#[test]
fn two_versions_are_side_by_side() {
    let folder = packages();
    // `club` builds on the new rules, and on a faction that builds on the old ones
    folder.run(&["check", "club", "reefers"]).is(0);
    let five = "use tidewar\n\nboat Cockle { hull: 3 }\nfleet Dawn { boats: [5 Cockle] }\n";
    let folder = folder.file("reefers/boats.banner", five);
    folder.run(&["check", "reefers"]).is(1).says("A fleet has at most four boats");
    let six = folder.read("club/boats.banner").replace("[6 Barge]", "[7 Barge]");
    let folder = folder.file("club/boats.banner", six).file("reefers/boats.banner", "use tidewar\n\nboat Cockle { hull: 3 }\n");
    folder.run(&["check", "club"]).is(1).says("A fleet has at most six boats");
}

#[test]
fn a_package_is_fetched_by_its_tag_and_stays_what_it_was() {
    let folder = gulls();
    let url = repository(&folder);
    let home = PathBuf::from("gulls");
    folder.run(&["check", "gulls"]).is(1).says("manifest-unknown-rules");
    folder.run_in(&home, &["add", "tidewar", "--git", &url, "--tag", "v2.0.0"]).is(0).says("tidewar 2.0.0: fetched");
    // the repository may go away: what was fetched is enough
    std::fs::rename(folder.path().join("tidewar"), folder.path().join("moved")).unwrap();
    folder.run(&["check", "gulls"]).is(0);
    folder.run(&["test", "gulls"]).is(0).says("1 passed");
    let stored = "gulls/.banneret/packages/tidewar@2.0.0/rules.banner";
    let changed = folder.read(stored).replace("<= 6", "<= 9");
    let folder = folder.file(stored, changed);
    assert_eq!(folder.codes(&["gulls"]), ["package-changed"]);
    folder.run_in(&home, &["update"]).is(2).complains("cannot be fetched");
    std::fs::rename(folder.path().join("moved"), folder.path().join("tidewar")).unwrap();
    folder.run_in(&home, &["update"]).is(0);
    folder.run(&["check", "gulls"]).is(0);
    // the older version allows four boats only
    let older = folder.read("gulls/banneret.ron").replace("v2.0.0", "v1.0.0");
    let folder = folder.file("gulls/banneret.ron", older);
    assert_eq!(folder.codes(&["gulls"]), ["package-missing"]);
    folder.run_in(&home, &["update"]).is(0).says("tidewar 1.0.0: fetched");
    folder.run(&["check", "gulls"]).is(1).says("A fleet has at most four boats");
}

#[test]
fn what_cannot_be_added_changes_nothing() {
    let folder = gulls();
    let home = PathBuf::from("gulls");
    let before = folder.read("gulls/banneret.ron");
    folder.run_in(&home, &["add", "tidewar", "--path", "../nowhere"]).is(2).complains("There is no package");
    folder.run_in(&home, &["add", "tidewar", "--git", "file:///nowhere", "--tag", "v1"]).is(2).complains("cannot be fetched");
    folder.run_in(&home, &["add", "tidewar", "--git", "ext::sh -c true", "--tag", "v1"]).is(2);
    folder.run_in(&home, &["add", "Tide War", "--path", "../tidewar"]).is(2).complains("cannot be the name");
    assert_eq!(folder.read("gulls/banneret.ron"), before);
    folder.run_in(&home, &["add", "tidewar", "--path", "../tidewar_2"]).is(0);
    folder.run(&["check", "gulls"]).is(0);
    folder.run_in(&home, &["add", "tidewar", "--path", "../tidewar_2"]).is(2).complains("needs a `tidewar` already");
}

#[test]
fn copied_packages_need_nothing_else() {
    let folder = packages();
    folder.run(&["vendor", "club"]).is(0).says("reefers 0.3.0").says("tides 2.0.0").says("tidewar 1.0.0");
    for package in ["reefers", "tidewar", "tidewar_2"] {
        std::fs::remove_dir_all(folder.path().join(package)).unwrap();
    }
    folder.run(&["check", "club"]).is(0);
    folder.run(&["test", "club"]).is(0).says("1 passed");
}

#[test]
fn what_is_wrong_with_a_package_is_told_once_at_its_name() {
    let folder = packages();
    let manifest = folder.read("reefers/banneret.ron");
    let with = |from: &str, to: &str| {
        let folder = packages().file("reefers/banneret.ron", manifest.replace(from, to));
        folder.codes(&["reefers"])
    };
    assert_eq!(with("../tidewar", "../tidewra"), ["package-missing"]);
    assert_eq!(with("version: \"1.0\"", "version: \"9.0\""), ["package-version"]);
    assert_eq!(with("(path: \"../tidewar\", version: \"1.0\")", "()"), ["package-missing"]);
    let broken = packages().file("tidewar/banneret.ron", "(name: \"tidewar\")");
    assert_eq!(broken.codes(&["reefers"]), ["package-broken"]);
    // a mistake in the rules is shown where it is
    let rules = folder.read("tidewar/rules.banner").replace("n -x", "m -x");
    let wrong = packages().file("tidewar/rules.banner", rules);
    wrong.run(&["check", "reefers"]).is(1).says("tidewar/rules.banner");
    // needing oneself
    let own =
        packages().file("tidewar/banneret.ron", "(name: \"tidewar\", version: \"1\", rules: \"tidewar\", needs: (self: (path: \".\")))");
    assert_eq!(own.codes(&["tidewar"]), ["package-broken"]);
}

#[test]
fn packages_that_need_each_other_are_refused() {
    let folder = packages();
    let manifest = "(name: \"tidewar\", version: \"1.0.0\", rules: \"tidewar\", needs: (friends: (path: \"../reefers\")))";
    let folder = folder.file("tidewar/banneret.ron", manifest);
    assert_eq!(folder.codes(&["reefers"]), ["package-broken"]);
    // also where the project itself stands outside of the circle
    let pool = "(name: \"pool\", version: \"0.1.0\", rules: \"tidewar\", needs: (tidewar: (path: \"../tidewar\")))\n";
    let folder = folder.file("pool/banneret.ron", pool).file("pool/a.banner", "use tidewar\n");
    folder.run(&["check", "pool"]).is(1).says("package-broken").says("need each other in a circle").says("banneret.ron:1:");
}

#[test]
fn what_a_package_needs_is_not_there_for_others() {
    let folder = packages();
    // `club` needs `reefers`, which needs `tidewar`; `club` itself does not
    let folder = folder.file("club/more.banner", "use tidewar\n");
    assert_eq!(folder.codes(&["club"]), ["unknown-module"]);
}

#[test]
fn rules_of_the_house_hold_for_everything_that_is_built_on_them() {
    let folder = packages();
    folder.run(&["check", "pond", "--strict"]).is(0);
    folder.run(&["test", "pond"]).is(0).says("1 passed, 0 failed");
    folder.run(&["build", "pond"]).is(0);
    folder.run(&["fmt", "--check", "pond"]).is(0);
    folder.run(&["odds", "pond", "--given", "Skiff as s", "--do", "do tide", "s.soaked"]).is(0);
    folder.run(&["cards", "pond", "-o", "printed"]).is(0);
    let told = folder.run(&["check", "pond", "--changes"]);
    told.is(0)
        .says("pond/house/rules.banner:2: action soak in tidewar, changed: Our pond is shallow")
        .says("4 changes to rules of others.");
    folder.run(&["check", "pond", "--changes", "--message-format", "json"]).is(0).says("\"why\":\"Tar is worth nothing in a pond.\"");
    // those who build on the same package without changes play by its own rules
    folder.run(&["test", "reefers"]).is(0).says("1 passed, 0 failed");
}

#[test]
fn changes_that_change_nothing_are_refused() {
    let with = |from: &str, to: &str| {
        let folder = packages();
        let text = folder.read("pond/house/rules.banner").replacen(from, to, 1);
        folder.file("pond/house/rules.banner", text).codes(&["pond"])
    };
    assert_eq!(with("nothing", "little"), [""; 0]);
    assert_eq!(with("/// Our pond is shallow: nobody takes more than one water at once.\n", ""), ["change-without-reason"]);
    assert!(with("keyword Tarred", "keyword Tared").contains(&"idle-change".to_owned()));
    // what only helps a change is used by it, or idle
    assert!(with("at_most(n)\n  if", "max(n, 0)\n  if").contains(&"idle-change".to_owned()));
    let same = "action sink(b: Boat) {\n  says \"{b} sinks\"\n  remove b\n}\n";
    assert_eq!(packages().file("pond/house/more.banner", format!("/// As it was.\n{same}")).codes(&["pond"]), ["idle-change"]);
    let manifest = |from: &str, to: &str| {
        let folder = packages();
        let text = folder.read("pond/banneret.ron").replacen(from, to, 1);
        folder.file("pond/banneret.ron", text).codes(&["pond"])
    };
    assert!(manifest("tidewar: \"house\"", "tidewar: \"nowhere\"").contains(&"idle-change".to_owned()));
    assert_eq!(manifest("tidewar: \"house\"", "tidwar: \"house\""), ["package-missing"]);
    assert_eq!(manifest("tidewar: \"house\"", "tidewar: \"../tidewar\""), ["manifest-wrong-type"]);
    // nobody builds on a package that changes another
    let folder = packages()
        .file("guests/banneret.ron", "(name: \"guests\", version: \"0.1.0\", rules: \"pond\", needs: (pond: (path: \"../pond\")))\n");
    assert!(folder.file("guests/a.banner", "use pond\n").codes(&["guests"]).contains(&"package-broken".to_owned()));
}

#[test]
fn mistakes_in_changes_are_told_at_their_own_lines() {
    let folder = packages();
    let text = folder.read("pond/house/rules.banner").replacen("sink b", "sinc b", 1);
    let folder = folder.file("pond/house/rules.banner", text);
    folder.run(&["check", "pond"]).is(1).says("unknown-verb").says("pond/house/rules.banner:5:27");
}

#[test]
fn what_a_package_lacks_is_told_before_it_is_published() {
    let folder = packages();
    folder.run(&["publish", "tidewar"]).is(2).complains("pushing a tag");
    let told = folder.run(&["publish", "tidewar", "--dry-run"]);
    told.is(1)
        .says("lacking  no licence")
        .says("lacking  no rulebook")
        .says("fine     1 test passes")
        .says("tidewar 1.0.0 is not whole yet.");
    folder.run(&["publish", "pond", "--dry-run"]).is(1).says("it changes rules of others");
    let book = "# Tide War\n\n- TW-001 A tide.\n- TW-002 Water.\n- TW-003 Tar.\n";
    let folder = folder.file("tidewar/RULES.md", book).file("tidewar/LICENSE", "Ours.\n");
    folder.run(&["publish", "tidewar", "--dry-run"]).is(1).says("lacking  1 rule of the rulebook without a test");
    let folder = folder.file("tidewar/RULES.md", book.replace("- TW-003 Tar.\n", ""));
    folder.run(&["publish", "tidewar", "--dry-run"]).is(0).says("1.0.0 is the first version").says("tidewar 1.0.0 is whole.");
    // a tag, and then a change that the version must tell
    let rules = folder.path().join("tidewar");
    git(&rules, &["init", "--quiet"]);
    git(&rules, &["add", "--all"]);
    git(&rules, &["commit", "--quiet", "--message", "one"]);
    git(&rules, &["tag", "v1.0.0"]);
    folder.run(&["publish", "tidewar", "--dry-run"]).is(0).says("nothing changed since v1.0.0");
    let stronger = folder.read("tidewar/rules.banner").replace("count(boats) <= 4", "count(boats) <= 5");
    let folder = folder.file("tidewar/rules.banner", stronger);
    folder.run(&["publish", "tidewar", "--dry-run"]).is(1).says("it should be 1.1.0 or higher");
    let manifest = folder.read("tidewar/banneret.ron").replace("1.0.0", "1.1.0");
    let folder = folder.file("tidewar/banneret.ron", manifest);
    let rules = folder.read("tidewar/rules.banner").replace("1.0.0", "1.1.0");
    let folder = folder.file("tidewar/rules.banner", rules);
    folder.run(&["publish", "tidewar", "--dry-run"]).is(0).says("version 1.1.0 says so");
}
