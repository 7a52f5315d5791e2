// Where the `banneret` command is. Knows nothing of VS Code, so that it can be tested without one.

import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";

export interface Surroundings {
  /** The first folder that is open; none if a single file is. */
  folder?: string;
  home: string;
  /** The folders that are searched for a bare name, as in the variable PATH. */
  searched: string;
  windows: boolean;
  /** The folder of the command that came with the extension, if one did. */
  bundled?: string;
}

/** What the setting `banneret.path` stands for: a bare name, or a whole path. */
export function meant(setting: string, around: Surroundings): string {
  let text = setting.trim() || "banneret";
  if (around.folder !== undefined) {
    text = text.replaceAll("${workspaceFolder}", around.folder);
  }
  if (/^~[\\/]/.test(text)) {
    text = path.join(around.home, text.slice(2));
  }
  const bare = !/[\\/]/.test(text);
  return bare || path.isAbsolute(text) ? text : path.resolve(around.folder ?? around.home, text);
}

/** The program file that would be started; none if there is no such file. What is installed comes before what came with the extension. */
export function located(command: string, around: Surroundings): string | undefined {
  const endings = around.windows ? ["", ".exe"] : [""];
  const folders = path.isAbsolute(command) ? [""] : around.searched.split(path.delimiter).filter((folder) => folder !== "");
  if (command === "banneret" && around.bundled !== undefined) {
    folders.push(around.bundled);
  }
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.join(folder, command + ending);
      if (isProgram(file)) {
        return file;
      }
    }
  }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What to say when there is no such file. */
export function missing(command: string): string {
  return path.isAbsolute(command)
    ? `There is no program at ${command}. Colours and snippets work, but mistakes are not shown. Change the setting banneret.path.`
    : `The command “${command}” was not found. Colours and snippets work, but mistakes are not shown. Install it, or say in the setting banneret.path where it is.`;
}
