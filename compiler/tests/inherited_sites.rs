//! What a card took over with `from` stands where it was written, also in another file.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use banneret_compiler::api::Workspace;
use banneret_compiler::build::{Purpose, link};
use banneret_compiler::manifest::Manifest;

const TEMPLATE: &str = r#"ruleset r "R" { version: "1.0" }

kind Side (sides) is player { state n: Int 0.. = 0 }

kind C (cs) is card {
  x: Int = 0
  trick: Effect? = none
}

phase go { you.n = 0 }

c Base template {
  trick { you.n += 41 }
  at start of go { you.n += 17 }
}
"#;

#[test]
fn inherited_code_points_into_the_file_it_is_from() {
    let mut workspace = Workspace::new();
    let files =
        vec![("a.banner".to_string(), TEMPLATE.to_string()), ("b.banner".to_string(), "c Derived from Base { x: 1 }\n".to_string())];
    let project = workspace.open(Manifest::loose("small"), String::new(), files);
    let linked = link(workspace.db(), workspace.universe(project), Purpose::Pack).expect("it links");
    let wanted = ["you.n += 17", "you.n += 41"];
    let mut seen = [0; 2];
    for (n, site) in linked.pack.sites.iter().enumerate() {
        let span = linked.spans.site(banneret_runtime::ids::SiteId(n as u32)).expect("every site has a span");
        assert_eq!(span.file, linked.pack.text(site.file));
        if span.file != "a.banner" {
            continue;
        }
        let text = &TEMPLATE[span.start as usize..span.end as usize];
        if let Some(i) = wanted.iter().position(|w| *w == text) {
            seen[i] += 1;
        }
    }
    // once in the template and once in the card that took them over
    assert!(seen.iter().all(|n| *n >= 2), "{seen:?}");
    let b_end = "c Derived from Base { x: 1 }\n".len() as u32;
    assert!(linked.pack.sites.iter().filter(|s| linked.pack.text(s.file) == "b.banner").all(|s| s.end <= b_end));
}
