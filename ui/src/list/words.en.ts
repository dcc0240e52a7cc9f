// The words of lists, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "rows.next": "Next item",
  "rows.previous": "Previous item",
  "rows.more": "Show more",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
