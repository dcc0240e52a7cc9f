// What the picture folders say in English.
import type { Catalogue } from "./message";

export const foldersEn = {
} as const satisfies Catalogue;
