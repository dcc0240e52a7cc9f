// Changes of keys: which combinations an action may get, and the setting that results.
import { isSameChord, keyCaps, parseChord } from "../../keys";
import type { Registered } from "./shortcuts.svelte";

/** The keys that the user has changed, by the ids of their actions. */
export type ChosenKeys = Readonly<Record<string, string>>;

/** The reason why an action can't have a key: it is needed everywhere, or another action has it. */
export type Refusal = { reason: "needed"; key: string } | { reason: "taken"; key: string; by: Registered };

/** Without Mod and Alt, these move the focus, confirm or write. */
const MOVING = new Set(["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "Backspace", "ContextMenu", "End", "Enter", "Escape", "Home", "PageDown", "PageUp", "Tab", " "]);
/** With Mod, these select, copy, cut and paste. */
const EDITING = new Set(["a", "c", "v", "x"]);

/** Null if the action may have the key. `all` are the active shortcuts. */
export function refusalOf(key: string, { id }: Registered, all: readonly Registered[]): Refusal | null {
  const { mod, alt, shift, key: name } = parseChord(key);
  const isNeeded = mod ? !alt && !shift && EDITING.has(name) : !alt && MOVING.has(name);
  if (isNeeded) return { reason: "needed", key };
  const by = all.find((other) => other.id !== id && isSameChord(other.key, key));
  return by === undefined ? null : { reason: "taken", key, by };
}

/** Gives an action a key. Its usual key is not stored. */
export function withKey(chosen: ChosenKeys, { id, usual }: Registered, key: string): Record<string, string> {
  const others = Object.fromEntries(Object.entries(chosen).filter(([other]) => other !== id));
  return isSameChord(key, usual) ? others : { ...others, [id]: key };
}

/** Gives an action the key of another, which gets its key instead. */
export function withSwappedKeys(chosen: ChosenKeys, one: Registered, other: Registered): Record<string, string> {
  return withKey(withKey(chosen, one, other.key), other, one.key);
}

/** A section of the list of keys: each action with its keys. */
export interface KeyGroup {
  title: string;
  rows: readonly { label: string; entries: readonly Registered[] }[];
}

/** The list as a text in Markdown. */
export function keysAsMarkdown(title: string, columns: readonly [string, string], groups: readonly KeyGroup[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const tables = groups.map(({ title: heading, rows }) => {
    const lines = rows.map(({ label, entries }) => `| ${cell(label)} | ${entries.map(({ key }) => cell(keyCaps(key).join(" "))).join(", ")} |`);
    return [`## ${heading}`, "", `| ${columns.join(" | ")} |`, "| --- | --- |", ...lines, ""].join("\n");
  });
  return [`# ${title}\n`, ...tables].join("\n");
}
