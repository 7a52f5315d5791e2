#!/usr/bin/env node
// Starts the command that was installed for this machine.
"use strict";

const { spawnSync } = require("node:child_process");

const name = `banneret-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "banneret.exe" : "banneret";

let command;
try {
  command = require.resolve(`${name}/bin/${program}`);
} catch {
  console.error(`There is no banneret for ${process.platform} on ${process.arch} here: the package ${name} is not installed.`);
  console.error("If optional packages were left out, install it by its name. Otherwise build it from source: see the README.");
  process.exit(2);
}
const done = spawnSync(command, process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  console.error(`banneret cannot be started: ${done.error.message}`);
  process.exit(2);
}
if (done.signal) {
  process.kill(process.pid, done.signal);
}
process.exit(done.status ?? 2);
