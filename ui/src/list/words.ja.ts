// The words of lists, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "rows.next": "次の項目へ",
  "rows.previous": "前の項目へ",
  "rows.more": "さらに表示",
};
