//! A folder that goes away by itself, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A manifest without mistakes; the rules are those of [`RULES`].
pub const MANIFEST: &str = "(\n    name: \"demo\", version: \"0.1.0\",\n    rules: \"demo_rules\",\n)\n";

/// Rules and one card, without mistakes and neat.
pub const RULES: &str = "ruleset demo_rules \"Demo\" {\n  version: \"1.0\"\n}\n\nkind Unit (units) is card {\n  points: Int 1..\n}\n\nunit Reaver {\n  points: 10\n}\n";

pub struct Folder {
    path: PathBuf,
}

#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("banneret-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self { path: path.canonicalize().unwrap() }
    }

    /// With a project `demo` that is fine.
    pub fn with_project() -> Self {
        Self::new().file("demo/banneret.ron", MANIFEST).file("demo/rules.banner", RULES)
    }

    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path.join(path)).unwrap()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn run(&self, args: &[&str]) -> Ended {
        self.run_with(args, b"")
    }

    /// In a folder below.
    pub fn run_in(&self, below: &Path, args: &[&str]) -> Ended {
        self.started(below, args, b"")
    }

    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Ended {
        self.started(Path::new(""), args, input)
    }

    /// With so many threads.
    pub fn run_on(&self, threads: u32, args: &[&str]) -> Ended {
        self.begun(Path::new(""), args, b"", Some(threads))
    }

    fn started(&self, below: &Path, args: &[&str], input: &[u8]) -> Ended {
        self.begun(below, args, input, None)
    }

    fn begun(&self, below: &Path, args: &[&str], input: &[u8], threads: Option<u32>) -> Ended {
        // packages that were made of it are tried by the same tests: packaging/try.sh
        let packed = std::env::var_os("BANNERET_COMMAND");
        let mut command = Command::new(packed.clone().unwrap_or_else(|| env!("CARGO_BIN_EXE_banneret").into()));
        if packed.is_some() {
            // as on a machine that has nothing else: no variables, an empty home, no other programs
            let home = self.path.join(".home");
            fs::create_dir_all(&home).unwrap();
            command.env_clear().env("HOME", home).env("PATH", "");
        }
        let mut child = command
            .args(args)
            .envs(threads.map(|n| ("RAYON_NUM_THREADS", n.to_string())))
            .current_dir(self.path.join(below))
            .env_remove("NO_COLOR")
            .env_remove("BANNERET_STDLIB")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        let ended = Ended { code: output.status.code().expect("it was not killed"), out: text(output.stdout), err: text(output.stderr) };
        let crashed = ended.err.contains("panicked") || ended.err.contains("itself has failed");
        assert!(!crashed, "{ended:?}");
        ended
    }

    /// `check --message-format json`, as objects.
    pub fn json(&self, args: &[&str]) -> Vec<Value> {
        let ended = self.run(&[&["check", "--message-format", "json"], args].concat());
        assert!(ended.code <= 1, "{ended:?}");
        ended.out.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
    }

    /// Codes of `check`, in order.
    pub fn codes(&self, args: &[&str]) -> Vec<String> {
        self.json(args).iter().map(|o| o["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// With everything in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Ended {
    pub fn is(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    pub fn says(&self, words: &str) -> &Self {
        assert!(self.out.contains(words), "no {words:?} in the output of {self:#?}");
        self
    }

    pub fn complains(&self, words: &str) -> &Self {
        assert!(self.err.contains(words), "no {words:?} in the errors of {self:#?}");
        self
    }
}
