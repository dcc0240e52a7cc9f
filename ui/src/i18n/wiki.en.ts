// What the wiki says in English.
import type { Catalogue } from "./message";

export const wikiEn = {
} as const satisfies Catalogue;
