// Games, prints and the page of all cards, in a terminal of the editor. The command does everything; here is only what it is started with.

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** The project of a file: the nearest folder above it with a manifest, else its own folder. */
export function projectOf(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "banneret.ron"))) return folder;
    if (path.dirname(folder) === folder) return path.dirname(file);
  }
}

/** Plays a game of the project that the text belongs to: the scenario that is named, or the first. */
export function play(program: string | undefined, scenario?: string): void {
  const named = scenario === undefined ? [] : ["--scenario", scenario];
  run(program, "game", (project) => ["play", project, ...named]);
}

/** Shows all cards of the project in the browser. */
export function preview(program: string | undefined): void {
  run(program, "cards", (project) => ["preview", project]);
}

/** Prints the card at the cursor and shows the print. */
export async function print(program: string | undefined, client: LanguageClient | undefined): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const asked = { textDocument: { uri: editor.document.uri.toString() }, position: editor.selection.active };
  const cards = await client?.sendRequest<{ name: string }[] | null>("banneret/cards", asked).catch(() => undefined);
  const name = cards?.[0]?.name;
  if (name === undefined) {
    void vscode.window.showInformationMessage("No card stands here, or it has mistakes and cannot be drawn.");
    return;
  }
  await editor.document.save();
  run(program, `print ${name}`, (project) => ["cards", project, name, "--format", "pdf", "--draft", "--open"]);
}

function run(program: string | undefined, name: string, args: (project: string) => string[]): void {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "banneret" || document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("Open a saved .banner file of the project first.");
    return;
  }
  if (program === undefined) {
    void vscode.window.showErrorMessage("The command banneret was not found: see the setting banneret.path.");
    return;
  }
  const project = projectOf(document.uri.fsPath);
  vscode.window.createTerminal({ name: `Banneret: ${name}`, shellPath: program, shellArgs: args(project), cwd: project }).show();
}
