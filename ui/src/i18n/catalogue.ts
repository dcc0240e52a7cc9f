// The messages of the page: the `words` of all folders. Each English file adds its keys to `Messages`; a key that its
// Japanese file lacks is a type error.
import type { Catalogue, CatalogueLike } from "./message";

/** The English messages of all folders. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- every English file extends it
export interface Messages {}
export type MessageKey = keyof Messages;

function merged(files: Record<string, Catalogue>): Catalogue {
  return Object.assign({}, ...Object.values(files)) as Catalogue;
}

export const en = merged(import.meta.glob<Catalogue>("../**/words.en.ts", { eager: true, import: "words" })) as unknown as Messages;
export const ja = merged(import.meta.glob<Catalogue>("../**/words.ja.ts", { eager: true, import: "words" })) as unknown as CatalogueLike<Messages>;

export const catalogues = { en, ja } as const;
export type Locale = keyof typeof catalogues;
