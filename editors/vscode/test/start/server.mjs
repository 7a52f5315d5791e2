#!/usr/bin/env node
// Stands where `banneret` stands: writes down how it was started and what it was asked, and answers as a language server that can nothing.
import { appendFileSync } from "node:fs";

const note = (entry) => appendFileSync(process.env.NOTES, `${JSON.stringify(entry)}\n`);
note({ started: process.argv.slice(2), folder: process.cwd() });

let waiting = Buffer.alloc(0);
process.stdin.on("data", (bytes) => {
  waiting = Buffer.concat([waiting, bytes]);
  for (;;) {
    const head = waiting.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/.exec(waiting.subarray(0, Math.max(head, 0)).toString())?.[1]);
    if (head < 0 || waiting.length < head + 4 + length) return;
    const message = JSON.parse(waiting.subarray(head + 4, head + 4 + length).toString());
    waiting = waiting.subarray(head + 4 + length);
    heard(message);
  }
});

function heard({ id, method }) {
  note({ heard: method });
  if (method === "exit") process.exit(0);
  if (id === undefined) return;
  const result = method === "initialize" ? { capabilities: {} } : null;
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`);
}
