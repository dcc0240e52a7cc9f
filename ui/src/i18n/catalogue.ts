// The messages of the page: the `words` of all folders. Each English file adds its keys to `Messages`; a key that its
// Japanese file lacks is a type error.
import type { CatalogueLike } from "./message";

/** The English messages of all folders. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- every English file extends it
export interface Messages {}
export type MessageKey = keyof Messages;

/** The languages, each with its messages as a chunk of their own: a visitor fetches one of them. */
const CHUNKS = {
  en: () => import("./english"),
  ja: () => import("./japanese"),
} as const;
export type Locale = keyof typeof CHUNKS;

const loaded: Partial<Record<Locale, CatalogueLike<Messages>>> = {};

/** Returns the messages of a language; undefined until they are loaded. */
export function catalogueOf(locale: Locale): CatalogueLike<Messages> | undefined {
  return loaded[locale];
}

/** Loads the messages of a language, once. */
export async function loadCatalogue(locale: Locale): Promise<CatalogueLike<Messages>> {
  const { words } = await CHUNKS[locale]();
  return (loaded[locale] ??= words as unknown as CatalogueLike<Messages>);
}
