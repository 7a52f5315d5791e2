// The card beside the text: a panel that follows the cursor. The server draws it; a click on something leads to its line, and what the cursor is in is marked.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

interface Place {
  what: string;
  range: vscode.Range;
  lost: boolean;
}

/** A part of a drawing, in shares of its width and height, and where it stands in the text. */
interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
  to: vscode.Range;
  whole: vscode.Range;
}

interface Card {
  name: string;
  title: string;
  range: vscode.Range;
  sides: { side: string; svg: string; over: { lines: number; millimetres: number } | null; areas: Area[] }[];
  places: Place[];
}

/** Waits this long after the last key before the card is drawn again. */
const QUIET = 150;

export class CardPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown = "";
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners: vscode.Disposable[];

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.listeners = [
      vscode.window.onDidChangeTextEditorSelection((event) => this.soon(event.textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.soon(editor)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        const editor = vscode.window.activeTextEditor;
        if (editor?.document === event.document) this.soon(editor);
      }),
    ];
  }

  /** Shows the card at the cursor, or the one at a place that is gone to. */
  async open(uri?: string, place?: vscode.Position): Promise<void> {
    if (uri !== undefined && place !== undefined) await this.go({ uri, line: place.line, character: place.character });
    if (this.panel === undefined) {
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("banneret.card", "Card", beside, { enableScripts: true });
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.onDidReceiveMessage((message: { uri: string; line: number; character: number }) => void this.go(message));
      this.shown = "";
    } else {
      this.panel.reveal(undefined, true);
    }
    const editor = vscode.window.activeTextEditor;
    if (editor) this.soon(editor);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    for (const listener of this.listeners) listener.dispose();
  }

  private soon(editor: vscode.TextEditor): void {
    if (this.panel === undefined || editor.document.languageId !== "banneret") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(editor), QUIET);
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    const uri = editor.document.uri.toString();
    const asked = { textDocument: { uri }, position: editor.selection.active };
    // overtaken by another key: that one draws
    const cards = await this.client()?.sendRequest<Card[] | null>("banneret/cards", asked).catch(() => undefined);
    if (this.panel === undefined || cards === undefined) return;
    const card = cards?.[0];
    const body = card === undefined ? "<p>No card stands here, or it has mistakes and cannot be drawn.</p>" : drawn(card, uri);
    const line = editor.selection.active.line;
    if (body !== this.shown) {
      this.shown = body;
      this.panel.title = card?.title ?? "Card";
      this.panel.webview.html = page(body, line);
    } else {
      void this.panel.webview.postMessage({ line });
    }
  }

  private async go(place: { uri: string; line: number; character: number }): Promise<void> {
    const at = new vscode.Position(place.line, place.character);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
  }
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

function page(body: string, line: number): string {
  const nonce = Math.random().toString(36).slice(2);
  return `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-BANNERET'">
<style>
  body { padding: 1rem; }
  img { display: block; width: min(100%, 24rem); background: #fff; border-radius: 6px; margin-bottom: .5rem; cursor: pointer; }
  .over img { outline: 3px solid var(--vscode-errorForeground); }
  .over p, .lost { color: var(--vscode-errorForeground); font-weight: 600; }
  li { cursor: pointer; }
  .side { position: relative; width: min(100%, 24rem); }
  .side img { width: 100%; }
  .area { position: absolute; cursor: pointer; border-radius: 3px; }
  .area:hover { outline: 1px solid var(--vscode-focusBorder); }
  .area.here { outline: 2px solid var(--vscode-focusBorder); background: color-mix(in srgb, var(--vscode-focusBorder) 14%, transparent); }
</style></head><body>${body}
<script nonce="BANNERET">
  const vscode = acquireVsCodeApi();
  // what the cursor is in: the smallest of those around it
  const mark = (line) => {
    const around = [...document.querySelectorAll(".area")].filter((node) => Number(node.dataset.from) <= line && line <= Number(node.dataset.until));
    const least = Math.min(...around.map((node) => node.dataset.until - node.dataset.from));
    for (const node of document.querySelectorAll(".area")) node.classList.toggle("here", around.includes(node) && node.dataset.until - node.dataset.from === least);
    document.querySelector(".area.here")?.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("message", (event) => mark(event.data.line));
  mark(${line});
  for (const node of document.querySelectorAll("[data-line]")) {
    node.onclick = () => vscode.postMessage({ uri: node.dataset.uri, line: Number(node.dataset.line), character: Number(node.dataset.character) });
  }
</script></body></html>`.replaceAll("BANNERET", nonce);
}

function drawn(card: Card, uri: string): string {
  const to = (range: vscode.Range) => `data-uri="${escaped(uri)}" data-line="${range.start.line}" data-character="${range.start.character}"`;
  const sides = card.sides.map(({ side, svg, over, areas }) => {
    const lines = over === null ? "" : `<p>Does not fit: ${over.lines} ${over.lines === 1 ? "line" : "lines"} (${over.millimetres.toFixed(1)} mm) too long</p>`;
    const source = Buffer.from(svg).toString("base64");
    const image = `<img alt="${escaped(`${card.title}, ${side}`)}" src="data:image/svg+xml;base64,${source}" ${to(card.range)}>`;
    const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
    const marked = areas.map(({ left, top, width, height, to: place, whole }) => {
      const at = `left:${percent(left)};top:${percent(top)};width:${percent(width)};height:${percent(height)}`;
      return `<div class="area" style="${at}" ${to(place)} data-from="${whole.start.line}" data-until="${whole.end.line}"></div>`;
    });
    return `<div class="${over === null ? "" : "over"}"><div class="side">${image}${marked.join("")}</div>${lines}</div>`;
  });
  const places = card.places.filter((place) => place.what !== "");
  const list = places.map((place) => `<li class="${place.lost ? "lost" : ""}" ${to(place.range)}>${escaped(place.what)}${place.lost ? " (does not fit)" : ""}</li>`);
  return `${sides.join("")}<ul>${list.join("")}</ul>`;
}
