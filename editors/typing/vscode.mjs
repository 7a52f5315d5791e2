// Types the cases into VS Code, key by key, with the extension and its default settings, and compares what is saved with what was meant.
//
//   node vscode.mjs COMMAND EXTENSION.vsix [--enter] [--pictures FOLDER]
//
// Needs `npm install` in this folder as README.md says, and Chromium. `--enter`: with Enter taking what is offered, as VS Code does without the extension.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserPath, cases, keys, tools } from "./keys.mjs";

const [command, extension, ...options] = process.argv.slice(2);
const after = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const need = createRequire(join(tools, "package.json"));
const { chromium } = need("playwright-core");
const entry = join(tools, "node_modules/code-server/out/node/entry.js");
const port = Number(process.env.PORT ?? 18473);
const delay = Number(process.env.DELAY ?? 70);

const home = mkdtempSync(join(tmpdir(), "banneret-typing-"));
const project = join(home, "project");
const user = join(home, "user/User");
mkdirSync(project);
mkdirSync(user, { recursive: true });
const settings = { "banneret.path": command };
if (options.includes("--enter")) settings["[banneret]"] = { "editor.acceptSuggestionOnEnter": "on" };
writeFileSync(join(user, "settings.json"), JSON.stringify(settings));
const folders = ["--user-data-dir", join(home, "user"), "--extensions-dir", join(home, "extensions")];
const installed = spawnSync("node", [entry, ...folders, "--install-extension", extension], { encoding: "utf8" });
if (installed.status !== 0) throw new Error(installed.stderr + installed.stdout);
const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override"];
const server = spawn("node", [entry, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, ...folders, ...quiet], { stdio: "ignore" });

const PATIENCE = 240_000;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function open(page, name) {
  const tab = page.locator(`.tab.active[data-resource-name="${name}"]`);
  // the files may not be listed yet when somebody asks for them right after the start
  for (let tries = 0; tries < 8 && (await tab.count()) === 0; tries++) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+p");
    const input = page.locator(".quick-input-widget input").first();
    await input.waitFor();
    await input.fill(name);
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first();
    if (!(await row.waitFor({ timeout: 30_000 }).then(() => true, () => false))) continue;
    await row.click();
    await tab.waitFor({ timeout: 30_000 }).catch(() => {});
  }
  await tab.waitFor();
  await page.click(".editor-instance .view-lines");
}

async function press(page, key) {
  if (key === "pause") {
    // who stops to think looks at what is offered, and sees it also where the machine is slow
    await page.locator(".suggest-widget.visible").waitFor({ timeout: 2500 }).catch(() => {});
    return sleep(700);
  }
  if (key === "newComment") {
    // the next line of a documentation is begun for you; who does not want one takes it back
    for (let i = 0; i < 4; i++) await page.keyboard.press("Backspace");
    return;
  }
  if (key === "ArrowDown") {
    // an arrow would go through a list that is still shown: somebody who means the next line waits until it is gone, or closes it
    const list = page.locator(".suggest-widget.visible");
    for (let i = 0; i < 3 && (await list.count()) > 0; i++) {
      await list.waitFor({ state: "hidden", timeout: 1500 }).catch(() => page.keyboard.press("Escape"));
      await sleep(delay);
    }
  }
  if (key.length > 1) await page.keyboard.press(key);
  else await page.keyboard.type(key);
  await sleep(delay);
}

let wrong = 0;
let offered = 0;
try {
  // each in a project of its own, for the rule system it uses
  for (const { name, text } of cases()) {
    const rules = /^use (\w+)/m.exec(text)[1];
    mkdirSync(join(project, rules));
    writeFileSync(join(project, rules, "banneret.ron"), `(name: "typed", version: "0.1.0", rules: "${rules}")\n`);
    writeFileSync(join(project, rules, name), "");
  }
  for (let i = 0; i < PATIENCE / 500; i++) {
    if (await fetch(`http://127.0.0.1:${port}/healthz`).then((r) => r.ok, () => false)) break;
    await sleep(500);
  }
  const browser = await chromium.launch({
    executablePath: browserPath,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  // a machine that has other things to do is waited for
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`http://127.0.0.1:${port}/?folder=${project}`, { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".monaco-workbench");
  await sleep(6000);
  const pictures = after("--pictures");
  for (const { name, text } of cases()) {
    await open(page, name);
    // the first answer waits until the rule system was read: a person looks at the empty file that long
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget.visible .monaco-list-row").first().waitFor();
    await page.keyboard.press("Escape");
    await sleep(1500);
    let shown = 0;
    let seen = false;
    for (const key of keys(text, { closes: true })) {
      await press(page, key);
      if (key.length === 1 && (await page.locator(".suggest-widget.visible").count()) > 0) {
        shown += 1;
        if (pictures && !seen && shown > 40) {
          seen = true;
          await page.screenshot({ path: join(pictures, `typing-${name}.png`) });
        }
      }
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+s");
    // saving takes a while on a machine that has other things to do; what never comes is different
    const file = join(project, /^use (\w+)/m.exec(text)[1], name);
    const saved = () => readFileSync(file, "utf8").replace(/\n*$/, "\n");
    for (let last = "", since = Date.now(); saved() !== text && Date.now() - since < 20_000; await sleep(250)) {
      if (saved() !== last) [last, since] = [saved(), Date.now()];
    }
    await sleep(1500);
    if (pictures) await page.screenshot({ path: join(pictures, `typed-${name}.png`) });
    const came = saved();
    const meant = text.split("\n");
    const lines = came.split("\n");
    const other = meant.map((line, i) => [i + 1, line, lines[i]]).filter(([, a, b]) => a !== b);
    const same = came === text;
    if (!same) wrong += 1;
    console.log(`${name}: ${same ? "letter for letter" : `${other.length} of ${meant.length} lines differ`}; offers were shown at ${shown} keys`);
    for (const [n, a, b] of other.slice(0, 5)) console.log(`  ${n}: meant ${JSON.stringify(a)}, came ${JSON.stringify(b)}`);
    // without offers it would be no test
    offered += shown;
    if (shown === 0) {
      wrong += 1;
      console.log(`  the server offered nothing`);
    }
  }
  if (offered < 40) {
    wrong += 1;
    console.log(`the server offered next to nothing: ${offered}`);
  }
  // what stands above the text does what it says: the last file is still open, and its test is run
  const check = async (what, done) => {
    const fine = await done().then(() => true, () => false);
    if (!fine) wrong += 1;
    console.log(`${what}: ${fine ? "yes" : "NO"}`);
    if (!fine && pictures) await page.screenshot({ path: join(pictures, `failed-${wrong}.png`) });
  };
  await page.keyboard.press("Control+End");
  await check("a test is run from the text", async () => {
    await page.locator(".codelens-decoration a", { hasText: "Run this test" }).last().click();
    await page.locator(".notifications-toasts", { hasText: "passed" }).waitFor();
  });
  await check("a card is shown beside the text", async () => {
    await page.keyboard.press("Escape");
    await page.locator(".codelens-decoration a", { hasText: "Show the card" }).last().click();
    const card = page.frameLocator("iframe.webview").frameLocator("iframe");
    await card.locator("img").first().waitFor();
    // the part the cursor is in is marked
    await card.locator(".area.here").first().waitFor();
    await sleep(1500);
    if (pictures) await page.screenshot({ path: join(pictures, "card-panel.png") });
  });
  await check("a click on the card leads to its line", async () => {
    const card = page.frameLocator("iframe.webview").frameLocator("iframe");
    const line = async () => Number(/Ln (\d+)/.exec(await page.locator("#status\\.editor\\.selection").textContent())[1]);
    const before = await line();
    // what lies on top comes last
    for (const area of (await card.locator(".area").all()).reverse()) {
      if (Number(await area.getAttribute("data-line")) + 1 === before) continue;
      const wanted = Number(await area.getAttribute("data-line")) + 1;
      await area.click();
      await page.waitForFunction((n) => document.querySelector("#status\\.editor\\.selection")?.textContent.includes(`Ln ${n},`), wanted);
      return;
    }
    throw new Error("nothing on the card leads anywhere else");
  });
  await check("a click on a number of the card leads to the number", async () => {
    const card = page.frameLocator("iframe.webview").frameLocator("iframe");
    for (const area of (await card.locator(".area").all()).reverse()) {
      const [line, column] = [Number(await area.getAttribute("data-line")) + 1, Number(await area.getAttribute("data-character")) + 1];
      // behind the name of its field
      if (column < 8) continue;
      await area.click();
      const at = `Ln ${line}, Col ${column}`;
      await page.waitForFunction((at) => document.querySelector("#status\\.editor\\.selection")?.textContent.includes(at), at);
      return;
    }
    throw new Error("there is no number on the card");
  });
  await check("the library opens as a text that cannot be changed", async () => {
    const tab = () => page.locator(".tab.active").first().getAttribute("data-resource-name");
    const before = await tab();
    const [line, column] = cases().at(-1).text.split("\n").flatMap((text, i) => (text.includes("health: ") ? [[i + 1, text.indexOf("health: ") + 2]] : []))[0];
    await page.keyboard.press("Control+g");
    await page.keyboard.type(`${line}:${column}`);
    await page.keyboard.press("Enter");
    await page.keyboard.press("F12");
    await page.waitForFunction((before) => document.querySelector(".tab.active")?.getAttribute("data-resource-name") !== before, before);
    await page.keyboard.type("x");
    await page.locator(".monaco-editor-overlaymessage", { hasText: "read-only" }).waitFor();
    if (pictures) await page.screenshot({ path: join(pictures, "library.png") });
  });
  await browser.close();
} finally {
  server.kill();
  await sleep(1000);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(wrong === 0 ? 0 : 1);
