// What the editor does around the text: indentation, words, and that what the manifest names is there.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const file = (name) => new URL(`../${name}`, import.meta.url);
const json = (name) => JSON.parse(readFileSync(file(name), "utf8"));
const configuration = json("language-configuration.json");

test("a line that opens a block indents the next one", () => {
  const opens = new RegExp(configuration.indentationRules.increaseIndentPattern);
  const yes = ["unit Guard {", '  weapon Axe "The {big} one" { // sharp', "  keywords: [", '  move: 6", rows {', "  sum(", "  } else {"];
  const no = ["unit Guard { health: 3 }", "// unit Guard {", '  says "{"', "  health: 3", '  move: 6"', "  keywords: [Fast]", "  health: 3 // {", "}"];
  assert.deepEqual(yes.filter((line) => !opens.test(line)), []);
  assert.deepEqual(no.filter((line) => opens.test(line)), []);
});

test("a long line is looked at quickly", () => {
  const opens = new RegExp(configuration.indentationRules.increaseIndentPattern);
  const started = performance.now();
  for (const piece of ["{", '"', "6\"", "{ }", "[(", "a/"]) opens.test(piece.repeat(2_000));
  assert.ok(performance.now() - started < 2_000);
});

test("a line that closes a block goes back", () => {
  const closes = new RegExp(configuration.indentationRules.decreaseIndentPattern);
  assert.deepEqual(["}", "  ]", "  } else {"].filter((line) => !closes.test(line)), []);
  assert.deepEqual(["{ }", "  health: 3"].filter((line) => closes.test(line)), []);
});

test("a double click takes a whole name", () => {
  const { pattern, flags } = configuration.wordPattern;
  const words = (text) => text.match(new RegExp(pattern, `${flags}g`));
  assert.deepEqual(words("unit Éowyn_2 { move: 6s }"), ["unit", "Éowyn_2", "move", "s"]);
});

test("doc comments go on in the next line, other comments do not", () => {
  const before = new RegExp(configuration.onEnterRules[0].beforeText);
  assert.ok(before.test("  /// A soldier."));
  assert.ok(!before.test("  // A note."));
});

test("everything the manifest names is there", () => {
  const { icon, contributes } = json("package.json");
  const named = [icon, ...contributes.languages.flatMap((l) => [l.configuration, l.icon.light, l.icon.dark])];
  named.push(...contributes.grammars.map((g) => g.path));
  assert.deepEqual(named.filter((name) => !existsSync(file(name))), []);
});

test("what is typed stays as it is typed: Enter is a new line, and only the server offers words", () => {
  const { contributes } = json("package.json");
  assert.equal(contributes.snippets, undefined);
  const defaults = contributes.configurationDefaults["[banneret]"];
  assert.equal(defaults["editor.acceptSuggestionOnEnter"], "off");
  assert.equal(defaults["editor.wordBasedSuggestions"], "off");
});

test("no address of a registry is in the lock file", () => {
  assert.doesNotMatch(readFileSync(file("package-lock.json"), "utf8"), /"resolved"/);
});
