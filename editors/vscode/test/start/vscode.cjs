// As much of VS Code as the start of a language client touches. What is not named here can be called, built and extended, and does
// nothing; what the tests look at is real: settings, commands, messages and events.

const { EventEmitter } = require("node:events");

/** Anything: a function, a class and an object whose every member is the like. */
function anything(name) {
  const members = new Map();
  return new Proxy(class {}, {
    get(target, key) {
      if (key in target && key !== "name") return target[key];
      // a promise would be waited for without end
      if (key === "then" || typeof key === "symbol") return undefined;
      if (!members.has(key)) members.set(key, anything(`${name}.${key}`));
      return members.get(key);
    },
    set: (target, key, value) => Reflect.set(target, key, value),
    apply: () => ({ dispose() {} }),
  });
}

class Emitter {
  #events = new EventEmitter();
  event = (listener) => {
    this.#events.on("event", listener);
    return { dispose: () => this.#events.off("event", listener) };
  };
  fire = (value) => this.#events.emit("event", value);
  dispose() {}
}

const never = () => ({ dispose() {} });

/** @param {{ folder: string, settings: Record<string, string> }} place */
function fakeVscode(place) {
  const configuration = new Emitter();
  const commands = new Map();
  const errors = [];
  const lines = [];
  const channel = {
    name: "Banneret",
    logLevel: 2,
    onDidChangeLogLevel: never,
    append: (text) => lines.push(text),
    appendLine: (text) => lines.push(text),
    show: () => lines.push("shown"),
    clear() {},
    hide() {},
    replace() {},
    dispose() {},
  };
  for (const level of ["trace", "debug", "info", "warn", "error"]) channel[level] = (text) => lines.push(`${level}: ${text}`);
  const uri = (fsPath) => ({ scheme: "file", fsPath, path: fsPath, toString: () => `file://${fsPath}` });
  const folder = { uri: uri(place.folder), name: "folder", index: 0 };
  const known = {
    version: "1.91.0",
    EventEmitter: Emitter,
    CancellationTokenSource: class {
      token = { isCancellationRequested: false, onCancellationRequested: never };
      cancel() {}
      dispose() {}
    },
    Disposable: class {
      constructor(dispose) {
        this.dispose = dispose;
      }
    },
    Uri: { file: uri, parse: (text) => uri(text.replace("file://", "")) },
    env: { language: "en", appName: "test" },
    commands: {
      registerCommand(id, work) {
        commands.set(id, work);
        return { dispose: () => commands.delete(id) };
      },
      executeCommand: async (id, ...values) => commands.get(id)?.(...values),
    },
    TestRunProfileKind: { Run: 1 },
    tests: {
      createTestController: () => ({ items: { replace() {}, forEach() {} }, createRunProfile: never, createTestItem: () => ({ children: { add() {} } }), dispose() {} }),
    },
    window: {
      createOutputChannel: () => channel,
      showErrorMessage: async (message) => void errors.push(message),
      showInformationMessage: async () => undefined,
      showWarningMessage: async () => undefined,
      visibleTextEditors: [],
      tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never },
      onDidChangeActiveTextEditor: never,
      onDidChangeVisibleTextEditors: never,
    },
    workspace: {
      workspaceFolders: [folder],
      textDocuments: [],
      notebookDocuments: [],
      getConfiguration: (section) => ({
        get: (key, otherwise) => place.settings[section ? `${section}.${key}` : key] ?? otherwise,
        has: () => false,
        inspect: () => undefined,
      }),
      onDidChangeConfiguration: configuration.event,
      getWorkspaceFolder: () => folder,
      createFileSystemWatcher: () => ({ onDidCreate: never, onDidChange: never, onDidDelete: never, dispose() {} }),
    },
  };
  const openEnded = (object, name) => {
    const rest = anything(name);
    return new Proxy(object, { get: (target, key) => (key in target ? target[key] : rest[key]) });
  };
  for (const name of ["commands", "window", "workspace", "env"]) known[name] = openEnded(known[name], name);
  return {
    module: openEnded(known, "vscode"),
    errors,
    lines,
    run: (command) => commands.get(command)(),
    change(setting, value) {
      place.settings[setting] = value;
      configuration.fire({ affectsConfiguration: (section) => setting.startsWith(section) });
    },
  };
}

module.exports = { fakeVscode };
