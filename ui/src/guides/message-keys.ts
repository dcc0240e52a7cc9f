// The messages of the catalogues whose texts a guide quotes.
import { catalogues, en, type Locale, type MessageKey } from "../i18n/catalogue";
import type { Message } from "../i18n/message";

/** The keys of the messages that may appear as `quoted`. */
export function messageKeysOf(quoted: string, locale: Locale): MessageKey[] {
  return messages[locale].flatMap(([key, patterns]) => (patterns.some((pattern) => pattern.test(quoted)) ? [key] : []));
}

const messages = { en: patternsOf("en"), ja: patternsOf("ja") };

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
