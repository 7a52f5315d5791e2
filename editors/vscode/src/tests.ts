// The tests of all projects, as VS Code lists them. The server runs them; what failed stands at its line.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

interface Known {
  words: string;
  uri: string;
  range: vscode.Range;
}

interface Done {
  message: string;
  fine: boolean;
  range?: vscode.Range;
}

/** Waits this long after the last change before the tests are listed again. */
const QUIET = 800;

export class TestList implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("banneret", "Banneret");
  private readonly listeners: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.refreshHandler = () => this.list();
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.languageId === "banneret") this.soon();
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (document.languageId === "banneret") this.soon();
      }),
    ];
  }

  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.list(), QUIET);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const listener of this.listeners) listener.dispose();
    this.controller.dispose();
  }

  /** Files, and their tests in them. */
  private async list(): Promise<void> {
    // overtaken by another key: that one lists
    const known = await this.client()?.sendRequest<Known[] | null>("banneret/tests").catch(() => undefined);
    // a server that knows no tests may say nothing at all
    if (known === undefined || known === null) return;
    const files = new Map<string, vscode.TestItem>();
    for (const { words, uri, range } of known) {
      const at = vscode.Uri.parse(uri);
      let file = files.get(uri);
      if (file === undefined) {
        file = this.controller.createTestItem(uri, vscode.workspace.asRelativePath(at), at);
        files.set(uri, file);
      }
      const item = this.controller.createTestItem(words, words, at);
      item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
      file.children.add(item);
    }
    this.controller.items.replace([...files.values()]);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const wanted: vscode.TestItem[] = [];
    const gather = (item: vscode.TestItem): void => {
      if (request.exclude?.includes(item)) return;
      if (item.children.size === 0) wanted.push(item);
      else item.children.forEach(gather);
    };
    if (request.include !== undefined) request.include.forEach(gather);
    else this.controller.items.forEach(gather);
    for (const item of wanted) {
      if (token.isCancellationRequested) break;
      run.started(item);
      const asked = { textDocument: { uri: item.uri?.toString() }, words: item.id };
      const done = await this.client()?.sendRequest<Done>("banneret/runTest", asked).catch((failure: unknown) => ({ message: String(failure), fine: false }) as Done);
      if (done?.fine) {
        run.passed(item);
      } else {
        const message = new vscode.TestMessage(done?.message ?? "The server does not run.");
        const range = done?.range;
        if (range !== undefined && item.uri !== undefined) {
          message.location = new vscode.Location(item.uri, new vscode.Position(range.start.line, range.start.character));
        }
        run.failed(item, message);
      }
    }
    run.end();
  }
}
