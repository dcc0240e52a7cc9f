// The texts that may appear on the screen: the catalogues, and the texts of the shell, of the server's page for
// unauthenticated clients and of the command line.
import { readFileSync } from "node:fs";
import { catalogues, en, type Locale, type MessageKey } from "../i18n/catalogue";
import type { Message } from "../i18n/message";

/** Files below the repository's root with texts of their own, some of them in English only. */
const OTHERS = [
  "src-tauri/src/messages.rs",
  "src-tauri/src/failure.rs",
  "crates/base/src/exposure.rs",
  "crates/cli/src/client/running_server.rs",
  "crates/server/src/config/mod.rs",
  "crates/server/src/auth/notice.rs",
  "crates/server/src/start.rs",
  "crates/thumbs/src/cache/tag.rs",
  "crates/wiki/src/store/error.rs",
];

const LITERAL = /"((?:[^"\\]|\\[\s\S])*)"/g;

/** The names of the texts that may appear as `quoted`. */
export function messageKeysOf(quoted: string, locale: Locale): MessageKey[] {
  return messages[locale].flatMap(([key, patterns]) => (patterns.some((pattern) => pattern.test(quoted)) ? [key] : []));
}

/** True if a source other than the page contains this text, including as a sentence of its own. */
export function isSaidElsewhere(quoted: string): boolean {
  const within = quoted.replace(/\.$/, "");
  const variants = [quoted, within, within.charAt(0).toLowerCase() + within.slice(1)];
  return others.some((pattern) => variants.some((variant) => pattern.test(variant)));
}

const messages = { en: patternsOf("en"), ja: patternsOf("ja") };
const others = OTHERS.flatMap((file) =>
  [...readFileSync(`../${file}`, "utf8").matchAll(LITERAL)].flatMap(([, text = ""]) => patternOf(text)),
);

function patternsOf(locale: Locale): (readonly [MessageKey, RegExp[]])[] {
  return (Object.keys(en) as MessageKey[]).map((key) => [key, formsOf(catalogues[locale][key]).flatMap(patternOf)]);
}

function formsOf(message: Message): string[] {
  return typeof message === "string" ? [message] : Object.values(message);
}

/**
 * Patterns in which a placeholder matches anything. None for a text of placeholders only: it would match everything.
 */
function patternOf(text: string): RegExp[] {
  const words = text.split(/\{[^}]*\}/);
  if (!words.some((part) => /\p{L}{2}|\p{Script=Han}/u.test(part))) return [];
  const escaped = words.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return [new RegExp(`^${escaped.join(".+")}$`, "su")];
}
