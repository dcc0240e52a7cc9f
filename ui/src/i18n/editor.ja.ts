// What the editor says in Japanese.
import type { editorEn } from "./editor.en";
import type { CatalogueLike } from "./message";

export const editorJa: CatalogueLike<typeof editorEn> = {
};
