use banneret_compiler::api::Workspace;
use banneret_compiler::manifest::Manifest;
use std::time::Instant;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let mut files: Vec<(String, String)> = std::fs::read_dir(&dir)
        .unwrap()
        .filter_map(|e| {
            let p = e.unwrap().path();
            (p.extension()? == "banner")
                .then(|| (p.file_name().unwrap().to_string_lossy().to_string(), std::fs::read_to_string(&p).unwrap()))
        })
        .collect();
    files.sort();
    let ron = std::fs::read_to_string(format!("{dir}/banneret.ron")).unwrap();
    let edited = files.iter().find(|(_, t)| t.contains("health: 4")).cloned();
    let start = Instant::now();
    let mut w = Workspace::new();
    let manifest = Manifest::parse(&ron, "banneret.ron").ok().unwrap();
    let p = w.open(manifest, String::new(), files);
    let c = w.check(p);
    let cold = start.elapsed();
    let mut edits = vec![];
    if let Some((name, text)) = edited {
        for h in 20..51 {
            let t = text.replacen("health: 4", &format!("health: {h}"), 1);
            let s = Instant::now();
            w.set_text(p, &name, Some(t));
            w.check(p);
            edits.push(s.elapsed());
        }
        edits.sort();
    }
    let hwm = std::fs::read_to_string("/proc/self/status").unwrap();
    let hwm = hwm.lines().find(|l| l.starts_with("VmHWM")).unwrap().to_string();
    println!("{dir}: {:?} found {} edit {:?} {hwm}", cold, c.found.len(), edits.get(edits.len() / 2));
    if let Some(f) = c.found.first() {
        println!("  {} {}", f.diagnostic.code, f.diagnostic.headline);
    }
}
