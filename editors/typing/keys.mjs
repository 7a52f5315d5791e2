// The keys a person presses to write a text in an editor that indents by itself.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const folder = new URL("cases/", import.meta.url);

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const places = [process.env.BANNERET_TYPING_TOOLS, new URL(".", import.meta.url).pathname, join(cache, "banneret-typing"), "/opt/banneret-typing"];

/** Where code-server and Playwright were installed: the first place that has them, as `.ci/run` looks for them. */
export const tools = places.find((place) => place && existsSync(join(place, "node_modules/playwright-core"))) ?? new URL(".", import.meta.url).pathname;
export const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** The files that are typed: name and text. */
export function cases() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".banner") && name.includes(process.env.CASE ?? "")).sort();
  return names.map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}

/**
 * The keys for a text, one by one. `closes`: the editor closes brackets by itself, so that the last line of a block is there already and is gone to.
 * Sometimes a finger hits the wrong letter, which is taken back, and sometimes somebody stops to think.
 */
export function keys(text, { closes }) {
  const out = [];
  const lines = text.replace(/\n$/, "").split("\n");
  let struck = 0;
  const strike = (letter) => {
    struck += 1;
    if (struck % 41 === 17 && /[a-z]/.test(letter)) out.push("x", "Backspace");
    if (struck % 97 === 50) out.push("pause");
    out.push(letter);
  };
  lines.forEach((line, i) => {
    const bare = line.trimStart();
    if (closes && /^[}\])]/.test(bare)) {
      out.push("ArrowDown", "End");
    } else {
      if (i > 0) out.push("Enter");
      if (/^\s*\/\/\//.test(lines[i - 1] ?? "") && !bare.startsWith("///")) out.push("newComment");
      for (const letter of bare) strike(letter);
    }
  });
  return out;
}
