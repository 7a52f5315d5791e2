//! What can be written on the command line. The words are for people who make games, not programs.

use std::path::PathBuf;

use banneret_compiler::api::Language;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::budget::Use;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER: &str = "\
Start here:
  banneret new my_faction --rules SYSTEM    make a project
  banneret check my_faction                 look for mistakes
  banneret explain CODE                     what a mistake means and how to mend it

Exit codes: 0 everything is fine, 1 there are errors, 2 the command could not do its work.";

/// Write the units, cards, spells and rules of a tabletop game as text, and have them checked.
#[derive(Parser, Debug)]
#[command(name = "banneret", version, styles = STYLES, after_help = AFTER, max_term_width = 100)]
pub struct Cli {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorWhen,
    /// Let links and folders of a project lead out of it: only for projects that you trust
    #[arg(long, global = true)]
    pub allow_outside: bool,
    /// Stop after so many seconds of work (60, and ten times that for games, tests and odds; more for much text)
    #[arg(long, global = true, value_name = "SECONDS")]
    pub most_seconds: Option<u64>,
    /// Stop at so many megabytes of memory (1000; more for much text)
    #[arg(long, global = true, value_name = "MEGABYTES")]
    pub most_memory: Option<u64>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    New(New),
    Add(Add),
    Update(Update),
    Vendor(Vendor),
    Publish(Publish),
    Check(Check),
    Build(Build),
    Cards(Cards),
    Preview(Preview),
    Test(Test),
    Play(Play),
    Verify(Verify),
    Odds(Odds),
    Diff(Diff),
    Fmt(Fmt),
    How(How),
    Explain(Explain),
    Show(Show),
    Words(Words),
    Lsp(Lsp),
    Completions(Completions),
}

impl Command {
    /// What it may cost if nobody says so.
    pub fn used(&self) -> Use {
        match self {
            Command::Lsp(_) => Use::Serve,
            // somebody sits at the table
            Command::Play(play) if play.games.is_none() => Use::Wait,
            Command::Play(_) | Command::Test(_) | Command::Odds(_) | Command::Publish(_) => Use::Play,
            _ => Use::Look,
        }
    }
}

/// Make a new project: a folder with a manifest and a first faction to change
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret new crimson_vow --rules SYSTEM    cards for a rule system\n  banneret new my_game --ruleset             a rule system of your own"
)]
pub struct New {
    /// The folder to make; its last part is the project's name
    pub name: PathBuf,
    #[arg(long, value_name = "SYSTEM", help = systems_help(), conflicts_with = "ruleset")]
    pub rules: Option<String>,
    /// A whole small game of your own to change: rules, cards, faces, a scenario, tests and a rulebook
    #[arg(long)]
    pub ruleset: bool,
}

/// Build on a package: write it into the manifest, and fetch it if it is not on this machine
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret add gridsquad --path ../gridsquad\n  banneret add gridsquad --git https://example.org/gridsquad.git --tag v1.2"
)]
pub struct Add {
    /// What `use` shall call it
    pub name: String,
    /// The folder it is in; without it and without an address, one that comes with Banneret
    #[arg(long, value_name = "FOLDER", conflicts_with = "git")]
    pub path: Option<PathBuf>,
    /// The address of its repository
    #[arg(long, value_name = "ADDRESS", requires = "tag")]
    pub git: Option<String>,
    /// The tag that is meant
    #[arg(long, value_name = "TAG", requires = "git")]
    pub tag: Option<String>,
    /// The project
    #[arg(long, value_name = "PATH", default_value = ".")]
    pub project: PathBuf,
}

/// Fetch the packages of a project again, and write down what was fetched
///
/// The only command besides `add` and `vendor` that asks anything of a network, and the only time that `git` is run. Every other command works on what was fetched.
#[derive(Args, Debug)]
pub struct Update {
    /// The project; without it, the one you are in
    #[arg(value_name = "PATH", default_value = ".")]
    pub project: PathBuf,
}

/// Copy every package of a project into it, so that it needs nothing else
#[derive(Args, Debug)]
pub struct Vendor {
    /// The project; without it, the one you are in
    #[arg(value_name = "PATH", default_value = ".")]
    pub project: PathBuf,
}

/// Say whether a package is whole, so that others can build on it
///
/// Looks for a licence, mistakes, tests that fail, rules of the rulebook without a test, what changed since the last tag of the repository and whether the
/// version says so. Exit code 1 if something is lacking. Nothing is sent anywhere.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  banneret publish --dry-run")]
pub struct Publish {
    /// The project; without it, the one you are in
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Only say what is lacking: there is nothing else that this command does
    #[arg(long)]
    pub dry_run: bool,
}

/// What to work on, for every command that reads sources.
#[derive(Args, Debug, Clone)]
pub struct Paths {
    /// Projects, folders with projects in them, or single .banner files; without any, the folder you are in
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Look for mistakes
///
/// Reads every file, checks names, types and the limits of the rule system, and says what is wrong and how to mend it.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret check                      the project you are in\n  banneret check my_faction --fix     mend what can be mended safely\n  banneret check --fix --diff         show what that would change, and change nothing\n  banneret check --watch              check again whenever a file is saved"
)]
pub struct Check {
    #[command(flatten)]
    pub paths: Paths,
    /// Mend what can be mended without changing what anything means
    #[arg(long)]
    pub fix: bool,
    /// With --fix, also mend what may change what a card means: look at the result
    #[arg(long, requires = "fix")]
    pub unsafe_fixes: bool,
    /// With --fix, change nothing: show what would be mended (exit code 1 if there is anything)
    #[arg(long, requires = "fix")]
    pub diff: bool,
    /// Keep running, and check again whenever a file is saved (end it with Ctrl-C)
    #[arg(long, conflicts_with_all = ["fix", "overrides"])]
    pub watch: bool,
    /// List the cards whose rules text was written by hand instead of being made from their rules
    #[arg(long, conflicts_with = "fix")]
    pub overrides: bool,
    /// List what the project changes in rules it builds on, and why
    #[arg(long, conflicts_with_all = ["fix", "overrides", "watch"])]
    pub changes: bool,
    /// Check the cards as they print in another language, by the catalogues in `words`: `de`
    #[arg(long, value_name = "CODE", value_parser = language, conflicts_with_all = ["fix", "watch"])]
    pub language: Option<Language>,
    /// Let warnings count as errors
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub format: MessageFormat,
}

#[derive(Args, Debug, Clone, Copy)]
pub struct MessageFormat {
    /// How mistakes are printed
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    pub message_format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// With the lines they stand in, for people
    Full,
    /// One line each
    Concise,
    /// One JSON object a line; columns count characters from 1
    Json,
    /// Notes on a pull request, for GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

/// Check, and pack everything into one file that a game or app can run
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret build my_faction           makes my_faction/target/banneret/my_faction.pack\n  banneret build my_faction -o packs --ron\n  banneret build my_faction --cards a4    and its cards, to print and cut"
)]
pub struct Build {
    #[command(flatten)]
    pub paths: Paths,
    /// Put the packs into this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Also write the pack as text that can be read and compared (.ron)
    #[arg(long)]
    pub ron: bool,
    /// Also print every card beside the pack: a PDF with pages to cut
    #[arg(long, value_name = "PAPER")]
    pub cards: Option<Sheet>,
    #[command(flatten)]
    pub format: MessageFormat,
}

/// A language that cards can be printed in.
fn language(code: &str) -> Result<Language, String> {
    let known: Vec<&str> = Language::all().iter().map(|language| language.code()).collect();
    Language::by_code(code).ok_or_else(|| format!("besides the language they are written in, cards speak {}", known.join(", ")))
}

/// Write down what a project prints, for whoever translates it
///
/// The catalogue is `words/CODE.po` in the project, a file of GNU gettext. What is translated there stays; what belongs to nothing any more goes. Exit code 1 if something has no words yet.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret words my_faction --language de          my_faction/words/de.po, to be translated\n  banneret check my_faction --language de          what its German cards lack, and whether they fit\n  banneret cards my_faction --language de -o karten"
)]
pub struct Words {
    /// The project; without it, the folder you are in
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Into which language
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub language: Language,
}

/// Print cards: one file for each side, or sheets to cut
///
/// Cards that are not finished are told and left out; all others are printed.
#[derive(Args, Debug, Clone)]
#[command(
    after_help = "Examples:\n  banneret cards                                          every card of the project you are in, as a picture\n  banneret cards Reaver Guard                             only these\n  banneret cards my_faction --draft --watch --open        look at them while you write\n  banneret cards my_faction -o printed --format pdf --sheet a4    pages to print on both sides and cut"
)]
pub struct Cards {
    /// The project; without it, the folder you are in
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Only these cards, by name or title; the path may be left out then
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Put the files into this folder; without it, into the folder that the project names for cards
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// What kind of files
    #[arg(long, value_name = "FORMAT", default_value = "png")]
    pub format: CardFormat,
    /// Pages with many cards to cut instead of single cards; backs lie so that they meet their fronts
    #[arg(long, value_name = "PAPER")]
    pub sheet: Option<Sheet>,
    /// With the strip around single cards that is cut off
    #[arg(long, conflicts_with = "sheet")]
    pub bleed: bool,
    /// In another language, by the catalogues in `words`: `de`
    #[arg(long, value_name = "CODE", value_parser = language, conflicts_with = "watch")]
    pub language: Option<Language>,
    /// Also print cards that are too full or lack a picture; what does not fit is red
    #[arg(long)]
    pub draft: bool,
    /// Print again whenever a file is saved
    #[arg(long)]
    pub watch: bool,
    /// Show what was printed, with the program that your system has for it
    #[arg(long)]
    pub open: bool,
    /// Dots in an inch, for PNG
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(20..=1200))]
    pub dpi: u32,
    #[command(flatten)]
    pub messages: MessageFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CardFormat {
    Svg,
    Png,
    Pdf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sheet {
    A4,
    Letter,
}

/// Run the tests that are written in the sources
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret test                       the tests of the project you are in\n  banneret test --filter axe          only those with `axe` in their words\n  banneret test --library all         the tests of the rule systems that come with Banneret\n  banneret test --coverage            which numbered rules of RULES.md no test covers"
)]
pub struct Test {
    #[command(flatten)]
    pub paths: Paths,
    /// Only tests whose words or covered rules contain this
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// List the rules of the rulebook (RULES.md beside the rules) that no test covers (exit code 1 if there are any)
    #[arg(long)]
    pub coverage: bool,
    /// Test a rule system that comes with Banneret, or `all` of them
    #[arg(long, value_name = "NAME", conflicts_with = "paths")]
    pub library: Vec<String>,
    #[command(flatten)]
    pub format: MessageFormat,
}

/// Play a game to its end and tell what happened
///
/// Two agents play a scenario of the project; the dice come from the seed, so that the same seed gives the same game.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret play my_faction --seed 7                  watch a game\n  banneret play my_faction --agents person,greedy    play one yourself\n  banneret play my_faction --games 100               who wins how often\n  banneret play my_faction --games 100 --matrix      every roster against every other\n  banneret play my_faction --agents search,greedy    a player who looks further against one who looks less far\n  banneret play my_faction --save game.ron           keep it; --replay game.ron shows it again\n  banneret play target/banneret/my_faction.pack      play a pack, without its sources"
)]
pub struct Play {
    /// The project, or a pack that `banneret build` has written
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,
    /// The scenario to play; without it, the first by name
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// The number that the dice come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Who plays, one for all or one for each player with commas between them: `random` does anything that is allowed; `greedy` looks a little ahead; `search` tries its answers in many short games (`search:200` in 200 of them, `search:1s` for a second); `person` is you, at the terminal
    #[arg(long, value_name = "WHO", value_delimiter = ',', default_value = "greedy")]
    pub agents: Vec<Agent>,
    /// Play so many games, from the seed on, and count how they end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), conflicts_with_all = ["save", "replay", "trace", "verbose"])]
    pub games: Option<u32>,
    /// With --games: one JSON object instead of a table
    #[arg(long, requires = "games")]
    pub json: bool,
    /// With --games: a table of comma-separated values
    #[arg(long, requires = "games", conflicts_with = "json")]
    pub csv: bool,
    /// With --games: play every roster against every other, in both seats
    #[arg(long, requires = "games")]
    pub matrix: bool,
    /// With --matrix: draw it into this file
    #[arg(long, value_name = "FILE", requires = "matrix")]
    pub svg: Option<PathBuf>,
    /// With --games: fail (exit code 1) if a player, or with --matrix a roster, has a smaller or larger share of the games than this, as in 40..60
    #[arg(long, value_name = "LOW..HIGH", requires = "games")]
    pub fail_outside: Option<Within>,
    /// Write the game down, as the list of its answers
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub save: Option<PathBuf>,
    /// Go on with a saved game, with those who played it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agents", "seed", "games", "replay"])]
    pub resume: Option<PathBuf>,
    /// Play a saved game again and say whether it went the same way
    #[arg(long, value_name = "FILE", conflicts_with_all = ["agents", "seed"])]
    pub replay: Option<PathBuf>,
    /// Draw the table into this folder, a picture (SVG) for each round and one for the end
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["games", "replay"])]
    pub draw: Option<PathBuf>,
    /// Say for everything which line of the source did it, with the names and values of its parameters
    #[arg(long)]
    pub trace: bool,
    /// Tell everything, bookkeeping too
    #[arg(long, short)]
    pub verbose: bool,
}

/// Shares of games in percent, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    low: f64,
    high: f64,
}

impl Within {
    pub fn holds(self, percent: f64) -> bool {
        (self.low..=self.high).contains(&percent)
    }
}

impl std::str::FromStr for Within {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |text: &str| text.trim().trim_end_matches('%').parse::<f64>().ok().filter(|n| (0.0..=100.0).contains(n));
        let ends = text.split_once("..").and_then(|(low, high)| Some((read(low)?, read(high)?)));
        match ends {
            Some((low, high)) if low <= high => Ok(Self { low, high }),
            _ => Err("write two shares between 0 and 100, the smaller first: 40..60".to_owned()),
        }
    }
}

impl std::fmt::Display for Within {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {} %", self.low, self.high)
    }
}

/// Who sits at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Agent {
    /// You, at the terminal
    Person,
    Plays(banneret_players::agent::Agent),
}

impl std::str::FromStr for Agent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "person" => Ok(Self::Person),
            other => other.parse().map(Self::Plays),
        }
    }
}

impl TryFrom<String> for Agent {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Agent> for String {
    fn from(agent: Agent) -> Self {
        match agent {
            Agent::Person => "person".to_owned(),
            Agent::Plays(agent) => agent.to_string(),
        }
    }
}

/// Say whether the machine would run a pack, and what is in it
///
/// Packs are what `banneret build` writes. One that was damaged, tampered with or made for another version is refused with the reason (exit code 1).
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret verify target/banneret/my_faction.pack    look at one\n  banneret play target/banneret/my_faction.pack      play it"
)]
pub struct Verify {
    /// The packs
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// Say how likely what comes of something is
///
/// Writes a small test for you: what is on the table, what is done, what is measured. Every way the dice can fall is looked at, so the odds are exact.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret odds my_faction --given \"Reaver as a, Guard as b by opponent\" --do \"strike b with a.Axe by a\" \"b.wounds\"\n  banneret odds my_faction --test \"three attacks\"      the odds of a test that is there\n  banneret odds my_faction … --sample 10000            when there is too much to look at"
)]
pub struct Odds {
    /// The project
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// What to measure when all is done: numbers or conditions
    #[arg(value_name = "EXPR", conflicts_with = "test")]
    pub exprs: Vec<String>,
    /// What is on the table, as in a test: `CARD as NAME by opponent at (x, y)`
    #[arg(long, value_name = "THINGS", conflicts_with = "test")]
    pub given: Vec<String>,
    /// What is done, as in a test; several times for several things
    #[arg(long = "do", value_name = "SENTENCE", conflicts_with = "test")]
    pub deeds: Vec<String>,
    /// What to measure; the same as EXPR
    #[arg(long = "measure", value_name = "EXPR", conflicts_with = "test")]
    pub measures: Vec<String>,
    /// What is chosen on the way, as in a test: `[w: a.Axe, \"focused\"]`
    #[arg(long, value_name = "LIST", conflicts_with = "test")]
    pub answers: Vec<String>,
    /// Options of the rule system, as in a test: `OPTION = VALUE`
    #[arg(long, value_name = "SETTING", conflicts_with = "test")]
    pub with: Vec<String>,
    /// Choose whatever --answers leaves open so that this condition is as likely as can be; the opponent chooses against it
    #[arg(long, value_name = "CONDITION", conflicts_with_all = ["test", "sample"])]
    pub best: Option<String>,
    /// The odds of a test of the project that has these words
    #[arg(long, value_name = "WORDS")]
    pub test: Option<String>,
    /// What a weapon, an ability, a spell or a power does as its rule system measures it: `CARD.PART`, `CARD`, or `all` of the project
    #[arg(long, value_name = "NAME", conflicts_with_all = ["test", "exprs", "given", "deeds", "measures", "answers", "with", "best", "sample"])]
    pub of: Option<String>,
    /// With --of: the card it is done to; without it, another one of the same card
    #[arg(long, value_name = "CARD", requires = "of")]
    pub against: Option<String>,
    /// Play it so often instead of looking at everything
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub sample: Option<u64>,
    /// With --sample: the number that the dice come from
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// Give up when there are more different states than this
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub states: usize,
    /// One JSON object instead of a chart
    #[arg(long)]
    pub json: bool,
}

/// Lay files out neatly
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret fmt                        every file of the project you are in\n  banneret fmt --diff units.banner    show what would change, and change nothing"
)]
pub struct Fmt {
    #[command(flatten)]
    pub paths: Paths,
    /// Change nothing; say which files are not neat (exit code 1 if any is not)
    #[arg(long)]
    pub check: bool,
    /// Change nothing; show the differences (exit code 1 if there are any)
    #[arg(long)]
    pub diff: bool,
    /// Read one file from standard input and print it neatly
    #[arg(long, conflicts_with = "paths")]
    pub stdin: bool,
}

/// Say what changed between two versions of a project: for players, in their words
///
/// Cards that are new or gone, every stat, keyword and text that changed, the odds of weapons and abilities that changed, and the rules that were rewritten. Exit code 1 if anything changed.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret diff old/my_faction my_faction\n  banneret diff my_faction --since v1.0                  what changed since a tag\n  banneret diff old/my_faction my_faction --markdown     for a page of release notes"
)]
pub struct Diff {
    /// The older project
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The newer project
    #[arg(value_name = "NEW", required_unless_present = "since", conflicts_with = "since")]
    pub new: Option<PathBuf>,
    /// Compare the project with what its repository has at this tag
    #[arg(long, value_name = "TAG")]
    pub since: Option<String>,
    /// As Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// As JSON, one object for each change
    #[arg(long)]
    pub json: bool,
    /// Leave the odds out: they take the longest
    #[arg(long)]
    pub no_odds: bool,
}

/// Say how something is written: look it up by what you want
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret how \"reroll ones\"\n  banneret how push --rules SYSTEM\n  banneret how                        lists everything"
)]
pub struct How {
    /// What you want, in your own words
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// In this rule system; without it, in that of the project you are in, or else in all
    #[arg(long, value_name = "SYSTEM")]
    pub rules: Option<String>,
}

/// Say what a mistake means and how to mend it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  banneret explain unclosed-brace\n  banneret explain                    lists every code")]
pub struct Explain {
    /// The code in the brackets of a message, as in error[unclosed-brace]
    pub code: Option<String>,
}

/// Print what becomes of a card or rule
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  banneret show Reaver                the words on its card\n  banneret show Reaver.Axe            those of a part of it\n  banneret show Reaver --stage tree   how its source was understood"
)]
pub struct Show {
    /// Its name; a part of a card is named behind a dot
    pub item: String,
    #[command(flatten)]
    pub paths: Paths,
    /// What to print of it
    #[arg(long, default_value = "text")]
    pub stage: ShowStage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowStage {
    /// The source, as it is written
    Source,
    /// How the source was taken apart
    Tree,
    /// What everything in it is
    Types,
    /// What the machine runs
    Bytecode,
    /// The words on the card
    Text,
}

/// Show all cards of a project in the browser, as they change
///
/// A page on this machine alone that follows the files as they are saved: every card that can be drawn, what does not fit in red, what is wrong, a filter,
/// and a table of all cards to sort, with their odds, that can be saved as CSV.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  banneret preview my_faction")]
pub struct Preview {
    /// The project, a folder of projects, or a single .banner file; without it, the folder you are in
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// The port on this machine; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 4174)]
    pub port: u16,
}

/// Serve an editor: started by it, not by hand
///
/// Speaks the Language Server Protocol on standard input and output.
#[derive(Args, Debug)]
#[command(after_help = "Editors are set up once; how is in docs/editors.md.")]
pub struct Lsp {
    /// Accepted because some editors add it; standard input and output are always used
    #[arg(long)]
    pub stdio: bool,
}

/// Print a script that lets your shell complete this command
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  banneret completions bash > ~/.local/share/bash-completion/completions/banneret")]
pub struct Completions {
    pub shell: Shell,
}

/// The rule systems there are, for the help of `new`.
fn systems_help() -> String {
    let systems = banneret_compiler::stdlib::rule_systems().join(", ");
    format!("The rule system it is for: {systems}; without it, a skeleton that declares its own rules")
}
