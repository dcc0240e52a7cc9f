// What the editor says in English.
import type { Catalogue } from "./message";

export const editorEn = {
} as const satisfies Catalogue;
