// Looks at `banneret preview` with a real browser: a card changes when its file is saved, what does not fit is red, a mistake in one card hides no other.
//
//   node preview.mjs COMMAND PROJECT [--pictures FOLDER]

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserPath, tools } from "./keys.mjs";

const [command, project, ...options] = process.argv.slice(2);
const pictures = options.includes("--pictures") ? options[options.indexOf("--pictures") + 1] : undefined;
const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");

const folder = mkdtempSync(join(tmpdir(), "banneret-preview-"));
cpSync(project, folder, { recursive: true });
const file = join(folder, "kiln/units.banner");
const text = readFileSync(file, "utf8");
const server = spawn(command, ["preview", folder, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((found) => {
  let said = "";
  server.stdout.on("data", (piece) => {
    said += piece;
    const at = /http:\/\/[^ ]+/.exec(said);
    if (at) found(at[0]);
  });
});
const browser = await chromium.launch({ executablePath: browserPath, headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  // a machine that has other things to do is waited for
  page.setDefaultTimeout(240_000);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const shot = async (name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.goto(address);
  await page.waitForSelector('article[data-name="ClayBrother"] img');
  const count = await page.locator("article").count();
  assert.ok(count > 30, `${count} cards`);
  const side = () => page.getAttribute('article[data-name="ClayBrother"] img', "src");
  const before = await side();
  await page.fill("#filter", "kiln unit");
  await page.waitForTimeout(800);
  await shot("preview-cards");

  // a number is changed: another card is shown, without a reload
  writeFileSync(file, text.replace("attacks: 2, damage: 4, effective: [Plated]", "attacks: 2, damage: 9, effective: [Plated]"));
  await page.waitForFunction((old) => document.querySelector('article[data-name="ClayBrother"] img').getAttribute("src") !== old, before);
  const loaded = await page.evaluate(async () => {
    const image = document.querySelector('article[data-name="ClayBrother"] img');
    await image.decode();
    return image.naturalWidth;
  });
  assert.ok(loaded > 0);

  // too many words: red, with by how much
  const long = Array.from({ length: 40 }, (_, i) => `  ability More${i} { after strike by this where hit { heal ${i + 1} to this } }`).join("\n");
  writeFileSync(file, text.replace("  weapon Maul {", `${long}\n  weapon Maul {`));
  await page.waitForSelector('article[data-name="ClayBrother"] figure.over figcaption');
  assert.match(await page.textContent('article[data-name="ClayBrother"] figcaption'), /Does not fit: \d+ lines/);
  await page.fill("#filter", "ClayBrother");
  await page.waitForTimeout(500);
  await shot("preview-overflow");
  await page.fill("#filter", "");

  // a mistake in one card: it is told, and all others are shown
  writeFileSync(file, text.replace("unit ClayBrother", "unit ClayBrother of"));
  await page.waitForSelector("#findings li.error");
  assert.ok((await page.locator("article").count()) >= count - 2, "one bad card hides no other");
  writeFileSync(file, text);
  await page.waitForFunction(() => document.querySelectorAll("#findings li.error").length === 0);
  assert.equal(await side(), before, "as it was");

  // the table, sorted, with odds against somebody
  await page.click("#show-table");
  await page.waitForSelector("td.odds div:text('on average')");
  const first = () => page.textContent("tbody tr:first-child td");
  const top = await first();
  await page.click("th:first-child");
  assert.notEqual(await first(), top);
  await page.selectOption("#against", "Kilnback");
  await page.fill("#filter", "kiln unit");
  // a Kilnback is better protected than another Clay Brother
  await page.waitForFunction(() => /Maul: wounds of the target: (?!6 )/.test(document.querySelector("#table").textContent));
  // what was measured is a column of numbers, and so is what one of it costs
  await page.click("th:text-is('points for each of wounds of the target')");
  const column = async (head) => {
    const heads = (await page.locator("#table th").allTextContents()).map((text) => text.replace(/ [\u25b4\u25be]$/, ""));
    const cells = await page.locator(`#table tbody td:nth-child(${heads.indexOf(head) + 1})`).allTextContents();
    return cells.map((text) => (text === "" ? undefined : Number(text)));
  };
  const settled = () => page.waitForFunction(() => !document.querySelector("#counts").textContent.includes("measuring"));
  await settled();
  assert.ok((await page.locator("#table tbody tr").count()) > 3);
  const [points, wounds, each] = [await column("points"), await column("wounds of the target"), await column("points for each of wounds of the target")];
  const known = each.filter((n) => n !== undefined);
  assert.ok(known.length > 3 && known.every((n, i) => i === 0 || known[i - 1] <= n), `sorted by what a wound costs: ${each}`);
  assert.ok(each.every((n, i) => n === undefined || Math.abs(n - points[i] / wounds[i]) < 0.2), `${points} for ${wounds} is ${each}`);
  const download = page.waitForEvent("download");
  await page.click("#csv");
  const lines = readFileSync(await (await download).path(), "utf8").split("\r\n");
  assert.equal(lines.length, each.length + 1);
  assert.match(lines[0], /"points","/);
  await shot("preview-table");
  assert.deepEqual(complaints, []);
  console.log(`${count} cards; changed, too full, mended, measured: fine`);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
