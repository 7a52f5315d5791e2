// The start of the extension: how it finds the command, starts it, starts it again, and what it says if it cannot.
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const require = createRequire(import.meta.url);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { fakeVscode } = require("./start/vscode.cjs");

const bundled = buildSync({ entryPoints: [here("../src/command.ts")], bundle: true, platform: "node", format: "esm", write: false });
const { located, meant, missing } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);

const room = mkdtempSync(join(tmpdir(), "banneret-client-"));
after(() => rmSync(room, { recursive: true, force: true }));
const notes = join(room, "notes");
const program = join(room, "bin", "banneret");
mkdirSync(join(room, "bin"));
copyFileSync(here("start/server.mjs"), program);
chmodSync(program, 0o755);
const around = { folder: room, home: "/home-of-somebody", searched: ["", "/nowhere", join(room, "bin")].join(delimiter), windows: false };

test("the setting is a name or a place", () => {
  assert.equal(meant("", around), "banneret");
  assert.equal(meant("  banneret-next ", around), "banneret-next");
  assert.equal(meant("~/bin/banneret", around), join("/home-of-somebody", "bin", "banneret"));
  assert.equal(meant("${workspaceFolder}/bin/banneret", around), program);
  assert.equal(meant("bin/banneret", around), program);
  assert.equal(meant("bin/banneret", { ...around, folder: undefined }), join("/home-of-somebody", "bin", "banneret"));
});

test("a name is searched, a place is looked at", () => {
  assert.equal(located("banneret", around), program);
  assert.equal(located(program, around), program);
  assert.equal(located("no-such-command", around), undefined);
  assert.equal(located(join(room, "bin"), around), undefined, "a folder is no program");
  const text = join(room, "bin", "text");
  writeFileSync(text, "no program");
  assert.equal(located("text", around), undefined, "a file that cannot be run is no program");
  writeFileSync(join(room, "bin", "other.exe"), "", { mode: 0o755 });
  assert.equal(located("other", { ...around, windows: true }), join(room, "bin", "other.exe"));
});

test("the command that came with the extension is found last", () => {
  const bundled = join(room, "inside");
  mkdirSync(bundled);
  copyFileSync(program, join(bundled, "banneret"));
  chmodSync(join(bundled, "banneret"), 0o755);
  assert.equal(located("banneret", { ...around, bundled }), program);
  assert.equal(located("banneret", { ...around, searched: "", bundled }), join(bundled, "banneret"));
  assert.equal(located("banneret-next", { ...around, searched: "", bundled }), undefined, "another command is another command");
});

test("what is missing is named, and what to do", () => {
  assert.match(missing("banneret"), /“banneret” was not found.*banneret\.path/);
  assert.match(missing(program), new RegExp(`no program at ${program}.*banneret\\.path`));
});

/** What the stand-in wrote down, once there is as much of it as is waited for. */
async function noted(enough) {
  for (let wait = 0; wait < 400; wait++) {
    const list = existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
    if (enough(list)) return list;
    await new Promise((go) => setTimeout(go, 25));
  }
  throw new Error(`waited in vain; noted: ${existsSync(notes) ? readFileSync(notes, "utf8") : "nothing"}`);
}

const starts = (list) => list.filter((entry) => entry.started);
const heard = (list, method) => list.filter((entry) => entry.heard === method).length;

test("the extension starts the command, starts it again, and ends it", { timeout: 60_000 }, async () => {
  process.env.NOTES = notes;
  const settings = { "banneret.path": join(room, "nowhere", "banneret") };
  const editor = fakeVscode({ folder: room, settings });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? editor.module : load(name, ...rest));
  const extension = require("../dist/extension.js");
  Module._load = load;

  await extension.activate({ subscriptions: [], extensionPath: room });
  assert.equal(editor.errors.length, 1);
  assert.match(editor.errors[0], /There is no program at .*nowhere.banneret/);
  assert.equal(existsSync(notes), false, "nothing was started");

  editor.change("banneret.trace.server", "off");
  editor.change("banneret.path", program);
  let list = await noted((list) => heard(list, "initialized") === 1);
  assert.deepEqual(starts(list), [{ started: ["lsp"], folder: room }], "one program, with these words");
  assert.equal(heard(list, "initialize"), 1);

  await editor.run("banneret.restart");
  list = await noted((list) => heard(list, "initialized") === 2 && heard(list, "exit") === 1);
  assert.equal(starts(list).length, 2);
  assert.equal(heard(list, "shutdown"), 1, "the old one was asked to end");

  await extension.deactivate();
  list = await noted((list) => heard(list, "exit") === 2);
  assert.equal(starts(list).length, 2);
  assert.equal(editor.errors.length, 1, "no other complaint");
});
