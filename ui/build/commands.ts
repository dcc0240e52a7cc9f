// Serves `virtual:commands`: the window's commands for the page's requests, as the OpenAPI document names them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

const MODULE = "virtual:commands";

interface Operation {
  /** The operation's commands: usually one. */
  "x-commands"?: Record<string, { parameter?: string; body?: string; over_http?: true }>;
}

/** The part of the document that names commands. */
export interface CommandDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** The commands of requests, and the argument of those whose body is one argument. */
export function commandsOf({ paths }: CommandDocument) {
  const commands: Record<string, string> = {};
  const wholeBodies: Record<string, string> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      for (const [name, { parameter, body, over_http }] of Object.entries(operation["x-commands"] ?? {})) {
        if (over_http) continue;
        commands[`${method.toUpperCase()} ${path}${parameter === undefined ? "" : `?${parameter}`}`] = name;
        if (body !== undefined) wholeBodies[name] = body;
      }
    }
  }
  return { commands, wholeBodies };
}

/** A Vite plugin for the module. */
export function commands(): Plugin {
  let file = "";
  return {
    name: "fumikura:commands",
    configResolved({ root }) {
      file = resolve(root, "openapi.json");
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      this.addWatchFile(file);
      const { commands, wholeBodies } = commandsOf(JSON.parse(readFileSync(file, "utf8")) as CommandDocument);
      return `export const COMMANDS = ${JSON.stringify(commands)};\nexport const WHOLE_BODIES = ${JSON.stringify(wholeBodies)};\n`;
    },
  };
}
