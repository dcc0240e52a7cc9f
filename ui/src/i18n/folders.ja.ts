// What the picture folders say in Japanese.
import type { foldersEn } from "./folders.en";
import type { CatalogueLike } from "./message";

export const foldersJa: CatalogueLike<typeof foldersEn> = {
};
