// Starts `banneret lsp` and connects it to the editor. All that the language knows is in that program; here are only its start,
// its end and what is said when it cannot be found.

import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions, State } from "vscode-languageclient/node";
import { located, meant, missing, type Surroundings } from "./command";
import { CardPanel } from "./panel";
import { play, preview, print } from "./terminal";
import { TestList } from "./tests";

/** The scheme under which the server offers the library. */
const LIBRARY = "banneret";

let client: LanguageClient | undefined;
/** The command that was found. */
let found: string | undefined;
let output: vscode.LogOutputChannel;
let tests: TestList | undefined;
/** Where the extension is: the command may be inside. */
let home: string;
/** Starts and stops wait for each other, however often somebody presses the button. */
let queue: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel("Banneret", { log: true });
  home = context.extensionPath;
  const panel = new CardPanel(() => client);
  tests = new TestList(() => client);
  context.subscriptions.push(
    output,
    panel,
    tests,
    vscode.commands.registerCommand("banneret.showCard", (uri?: string, place?: vscode.Position) => panel.open(uri, place)),
    vscode.commands.registerCommand("banneret.play", (_uri?: string, scenario?: string) => play(found, scenario)),
    vscode.commands.registerCommand("banneret.preview", () => preview(found)),
    vscode.commands.registerCommand("banneret.print", () => print(found, client)),
    vscode.commands.registerCommand("banneret.restart", () => restart()),
    vscode.commands.registerCommand("banneret.showOutput", () => output.show()),
    // the library of rule systems is on no disk: it is looked at, and cannot be changed
    vscode.workspace.registerTextDocumentContentProvider(LIBRARY, { provideTextDocumentContent: library }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("banneret.path")) {
        void restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart()),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await inTurn(stop);
}

function restart(): Promise<void> {
  return inTurn(async () => {
    await stop();
    await start();
  });
}

function inTurn(work: () => Promise<void>): Promise<void> {
  queue = queue.then(work).catch((failure: unknown) => {
    output.error(String(failure));
  });
  return queue;
}

async function start(): Promise<void> {
  const around = surroundings();
  const command = meant(vscode.workspace.getConfiguration("banneret").get<string>("path", "banneret"), around);
  const program = located(command, around);
  found = program;
  if (program === undefined) {
    void complain(missing(command));
    return;
  }
  output.info(`Starting ${program} lsp`);
  const server: ServerOptions = { command: program, args: ["lsp"], options: { cwd: around.folder } };
  const started = new LanguageClient("banneret", "Banneret", server, options());
  // the server offers what only this editor can do
  started.registerFeature({
    fillClientCapabilities: (capabilities) => (capabilities.experimental = { ...capabilities.experimental, banneret: { showCard: true, library: true, play: true } }),
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client = started;
  try {
    await started.start();
    tests?.soon();
  } catch (failure) {
    output.error(String(failure));
    void complain(`${program} was started but does not answer. Perhaps it is too old to have a language server.`);
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  if (old === undefined) {
    return;
  }
  if (old.state === State.Running) {
    await old.stop();
  }
  await old.dispose();
}

function options(): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: "file", language: "banneret" },
      { scheme: "untitled", language: "banneret" },
      { scheme: LIBRARY, language: "banneret" },
      { scheme: "file", pattern: "**/banneret.ron" },
    ],
    outputChannel: output,
    // the server itself asks to be told of files that change outside of the editor
    synchronize: { configurationSection: "banneret" },
  };
}

/** The text of a file of the library, from the server. */
async function library(uri: vscode.Uri): Promise<string> {
  const content = await client?.sendRequest<{ text: string }>("workspace/textDocumentContent", { uri: uri.toString() });
  return content?.text ?? "";
}

function surroundings(): Surroundings {
  return {
    folder: vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri.fsPath,
    home: homedir(),
    searched: process.env.PATH ?? "",
    windows: process.platform === "win32",
    bundled: path.join(home, "bin"),
  };
}

async function complain(message: string): Promise<void> {
  output.error(message);
  const settings = "Open the setting";
  const details = "Show details";
  const wanted = await vscode.window.showErrorMessage(message, settings, details);
  if (wanted === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "banneret.path");
  } else if (wanted === details) {
    output.show();
  }
}
