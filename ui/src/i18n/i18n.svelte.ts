// The language of the page as reactive state: templates that call `t` or a formatter follow it.
import { catalogueOf, loadCatalogue, type Locale, type MessageKey, type Messages } from "./catalogue";
import type { Message, PlaceholdersOf, Values } from "./message";

export const NO_BREAK_SPACE = "\u00a0";

/** Requires values exactly if the message has placeholders. */
type Arguments<K extends MessageKey> =
  PlaceholdersOf<Messages[K]> extends never ? [] : [values: Values<PlaceholdersOf<Messages[K]>>];

export type Translate = <K extends MessageKey>(key: K, ...values: Arguments<K>) => string;

/** Returns the locale for the system's language. */
export function systemLocale(language: string = navigator.language): Locale {
  return language.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export function resolveLocale(language: "system" | Locale): Locale {
  return language === "system" ? systemLocale() : language;
}

let current = $state<Locale>("en");

/** Returns the current language. */
export function locale(): Locale {
  return current;
}

/** The language that was last set, whose messages may still be loading. */
let wanted: Locale = "en";

/** Changes the language, at once if its messages are loaded. Until then the page stays in the one before. */
export function setLocale(next: Locale): void {
  wanted = next;
  if (catalogueOf(next)) show(next);
  else void loadLocale(next).then(() => wanted === next && show(next));
}

/** Loads the messages of a language. */
export async function loadLocale(language: Locale): Promise<void> {
  await loadCatalogue(language);
}

function show(next: Locale): void {
  current = next;
  document.documentElement.lang = next;
}

/** Returns the text of a key in the current language. */
export const t: Translate = (key, ...[values]) => translate(current, key, values);

/** Joins sentences, in Japanese without spaces. */
export function sentences(...parts: (string | false | null)[]): string {
  return parts.filter((one) => one !== false && one !== null).join(sentenceGap());
}

/** Returns the separator between sentences. */
export function sentenceGap(): string {
  return current === "ja" ? "" : " ";
}

/** Returns the text of a key in a given language. */
export function translate(language: Locale, key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  const message: Message | undefined = catalogueOf(language)?.[key];
  if (message === undefined) throw new Error(`the messages of “${language}” are not loaded`);
  const text =
    typeof message === "string"
      ? message
      : (message[pluralRules(language).select(Number(values["count"] ?? 0))] ?? message.other);
  return text.replace(PLACEHOLDER, (whole, before: string, name: string, after: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value !== "number") return before + value + after;
    const number = numberFormat(language).format(value);
    return language === "ja" ? nonBreaking(before) + number + nonBreaking(after) : before + number + after;
  });
}

/** A placeholder, with an ordinal or total prefix (第, 全) before it and a space after it, if present. */
const PLACEHOLDER = /([第全] |)\{(\w+)\}( |)/g;

/** In Japanese a number and its counter are one word, which must not be broken. */
function nonBreaking(spaced: string): string {
  return spaced.replace(" ", NO_BREAK_SPACE);
}

const pluralRules = cachePerLocale((language) => new Intl.PluralRules(language));
const numberFormat = cachePerLocale((language) => new Intl.NumberFormat(language));

/** Caches an `Intl` object for each language: they are expensive to create, and never change. */
function cachePerLocale<T>(make: (language: Locale) => T): (language: Locale) => T {
  const made = new Map<Locale, T>();
  return (language) => {
    let value = made.get(language);
    if (value === undefined) made.set(language, (value = make(language)));
    return value;
  };
}
