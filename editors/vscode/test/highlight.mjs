// Colours a text as VS Code does, and says of every token what it is in the words of the parser.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const grammarFile = new URL("../syntaxes/banneret.tmLanguage.json", import.meta.url);

async function load() {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), "banneret.tmLanguage.json"),
  });
  return registry.loadGrammar("source.banneret");
}

const grammar = await load();

/** What a token is, by its scopes. The words of kinds (`unit`) come from rule systems: to the parser they are names. */
function kind(scopes) {
  const has = (start) => scopes.some((scope) => scope.startsWith(start));
  if (has("comment.")) return "comment";
  if (has("string.")) return "text";
  if (has("constant.numeric.")) return "number";
  if (has("keyword.operator.sign") || has("punctuation.")) return "";
  if (has("keyword.") || has("storage.type.item") || has("variable.language.")) return "keyword";
  return scopes.length > 1 ? "name" : "";
}

/** The tokens of a text, `{ start, end, kind, scopes }`, with offsets from its start. */
export async function highlight(text) {
  const tokens = [];
  let state = textmate.INITIAL;
  let lineStart = 0;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      // the last token of a line reaches over its end
      const end = Math.min(endIndex, line.length);
      tokens.push({ start: lineStart + startIndex, end: lineStart + end, kind: kind(scopes), scopes });
    }
    lineStart += line.length + 1;
  }
  return tokens;
}
