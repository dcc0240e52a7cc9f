// What the wiki says in Japanese.
import type { wikiEn } from "./wiki.en";
import type { CatalogueLike } from "./message";

export const wikiJa: CatalogueLike<typeof wikiEn> = {
};
