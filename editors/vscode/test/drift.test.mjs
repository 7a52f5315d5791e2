// The highlighter and the parser agree about every comment, text, number, name and word of the language in all sources of the
// rule systems and their content. The parser's side is a list of tokens printed by grammar/examples/tokens.rs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { highlight } from "./highlight.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const house = join(here, "..", "..", "..");

function sources(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".banner"))
    .map((name) => join(folder, name))
    .sort();
}

/** The parser's tokens of each file: `path -> [{ start, end, kind }]`. */
function parsed(paths) {
  // BANNERET_TOKENS may name the built program, where it is built apart from the test
  const built = process.env.BANNERET_TOKENS;
  const [program, options] = built ? [built, []] : ["cargo", ["run", "--quiet", "-p", "banneret-grammar", "--example", "tokens", "--"]];
  const printed = execFileSync(program, [...options, ...paths], { cwd: house, encoding: "utf8", maxBuffer: 1 << 28 });
  const files = new Map();
  let tokens;
  for (const line of printed.trimEnd().split("\n")) {
    const [, start, end, kind] = /^(\d+) (\d+) (\w+)$/.exec(line) ?? [];
    if (kind) tokens.push({ start: Number(start), end: Number(end), kind });
    else files.set(line, (tokens = []));
  }
  return files;
}

/** Writes what each letter and digit is into one array; signs and white space are left out, since nobody quarrels over them. */
function paint(text, tokens) {
  const kinds = new Array(text.length).fill("");
  for (const { start, end, kind } of tokens) kinds.fill(kind, start, end);
  return kinds;
}

/** The first differences of one file, as people read them. */
function differences(path, text, ours, theirs) {
  const found = [];
  let line = 1;
  let last = -2;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\n") line++;
    if (ours[at] === theirs[at] || /\s/.test(text[at])) continue;
    // what the parser cannot read has to have some colour
    if (ours[at] === "broken") continue;
    const letter = /[\p{L}\p{N}]/u.test(text[at]);
    // a sign outside words, texts and comments has no kind for the parser
    if (!letter && ours[at] !== "comment" && ours[at] !== "text" && theirs[at] !== "comment" && theirs[at] !== "text") continue;
    if (at !== last + 1) {
      const row = text.split("\n")[line - 1];
      found.push(`${relative(house, path)}:${line}: the parser says "${ours[at]}", the highlighter "${theirs[at]}" at \`${text.slice(at, at + 12).split("\n")[0]}\` in: ${row}`);
    }
    last = at;
  }
  return found;
}

const ownSamples = join(here, "samples");
const sound = [join(house, "stdlib"), join(house, "content"), join(house, "grammar", "tests", "samples"), ownSamples];
// sources with mistakes, each on purpose
const faulty = [join(house, "tests", "mistakes"), join(house, "tests", "illegal")];
const folders = [...sound, ...faulty];
const paths = folders.flatMap(sources);
const tokens = parsed(paths);

test("there are sources to compare", () => {
  for (const folder of folders) assert.ok(paths.some((path) => path.startsWith(folder)), `no .banner file below ${folder}`);
  assert.equal(tokens.size, paths.length);
  assert.ok([...tokens.values()].flat().length > 10_000);
});

test("every source without a mistake can be read by the parser", () => {
  const read = [...tokens].filter(([path]) => sound.some((folder) => path.startsWith(folder)));
  const broken = read.filter(([, list]) => list.some((token) => token.kind === "broken"));
  assert.deepEqual(broken.map(([path]) => path), []);
});

test("the highlighter agrees with the parser", async () => {
  const found = [];
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    found.push(...differences(path, text, paint(text, tokens.get(path)), paint(text, await highlight(text))));
  }
  assert.equal(found.length, 0, `${found.length} differences, the first of them:\n${found.slice(0, 25).join("\n")}`);
});

test("every word that is coloured as a word of the language is one in some source", async () => {
  const used = new Set();
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const words = tokens.get(path).filter((token) => token.kind === "keyword");
    for (const { start, end } of words) for (const word of text.slice(start, end).split(/\s+/)) used.add(word);
  }
  const grammar = JSON.parse(readFileSync(join(here, "..", "syntaxes", "banneret.tmLanguage.json"), "utf8"));
  const known = grammar.repository.words.patterns.flatMap(({ match }) => /\(\?:([a-z|]+)\)/.exec(match)[1].split("|"));
  assert.ok(known.length > 60);
  assert.deepEqual(known.filter((word) => !used.has(word)), []);
});
