// The language of the page as reactive state: `t` and the formatters follow it wherever a template calls them.
import { catalogues, type en, type Locale, type MessageKey } from "./catalogue";
import type { Message, PlacesOf, Values } from "./message";

export const NO_BREAK_SPACE = "\u00a0";

/** The second argument is needed exactly when the message has places. */
type Arguments<K extends MessageKey> =
  PlacesOf<(typeof en)[K]> extends never ? [] : [values: Values<PlacesOf<(typeof en)[K]>>];

export type Translate = <K extends MessageKey>(key: K, ...values: Arguments<K>) => string;

/** What "system" means here. */
export function systemLocale(language: string = navigator.language): Locale {
  return language.toLowerCase().startsWith("ja") ? "ja" : "en";
}

export function resolveLocale(language: "system" | Locale): Locale {
  return language === "system" ? systemLocale() : language;
}

let current = $state<Locale>("en");

/** The language that `t` speaks. */
export function locale(): Locale {
  return current;
}

export function setLocale(next: Locale): void {
  current = next;
  document.documentElement.lang = next;
}

/** The text of a key in the current language. */
export const t: Translate = (key, ...[values]) => translate(current, key, values);

/** Sentences one after the other: between those of Japanese there is no space. */
export function sentences(...said: (string | false | null)[]): string {
  return said.filter((one) => one !== false && one !== null).join(sentenceGap());
}

/** What stands between two sentences. */
export function sentenceGap(): string {
  return current === "ja" ? "" : " ";
}

/** The text of a key in a given language. */
export function translate(language: Locale, key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  const message: Message = catalogues[language][key];
  const text =
    typeof message === "string"
      ? message
      : (message[pluralRules(language).select(Number(values["count"] ?? 0))] ?? message.other);
  return text.replace(PLACE, (whole, before: string, name: string, after: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value !== "number") return before + value + after;
    const number = numberFormat(language).format(value);
    return language === "ja" ? glued(before) + number + glued(after) : before + number + after;
  });
}

/** A place, with the mark of an ordinal or a total before it and the space after it, if there are any. */
const PLACE = /([第全] |)\{(\w+)\}( |)/g;

/** In Japanese a number and its counter are one word, which no line divides. */
function glued(spaced: string): string {
  return spaced.replace(" ", NO_BREAK_SPACE);
}

const pluralRules = remember((language) => new Intl.PluralRules(language));
const numberFormat = remember((language) => new Intl.NumberFormat(language));

/** `Intl` objects are dear to make and the same for ever: one for each language. */
function remember<T>(make: (language: Locale) => T): (language: Locale) => T {
  const made = new Map<Locale, T>();
  return (language) => {
    let value = made.get(language);
    if (value === undefined) made.set(language, (value = make(language)));
    return value;
  };
}
