// No line makes the colours hang, however odd: an expression that tries everything in every order would.
import assert from "node:assert/strict";
import { test } from "node:test";
import { highlight } from "./highlight.mjs";

const pieces = ["{", '"', "1", "a", "a ", "a.", "1/1/", "covers ", "covers A-1,", "A-1, ", "{ a A", "until ", "at ", " ", "\\", '6"', "d6+", "(", "1d", "1."];

for (const piece of pieces) {
  test(`20,000 characters of ${JSON.stringify(piece)}`, async () => {
    const line = piece.repeat(Math.ceil(20_000 / piece.length));
    const started = performance.now();
    const tokens = await highlight(`unit A {\n  covers ${line} !\n}\n`);
    assert.ok(performance.now() - started < 15_000, "it takes too long");
    assert.ok(tokens.length > 3);
  });
}
