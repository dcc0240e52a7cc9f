// The messages of the page, merged from the features. The English catalogue defines the keys.
import { appEn } from "../app/words.en";
import { appJa } from "../app/words.ja";
import { archiveEn } from "../archive/words.en";
import { archiveJa } from "../archive/words.ja";
import { assetsEn } from "../assets/words.en";
import { assetsJa } from "../assets/words.ja";
import { cacheEn } from "../cache/words.en";
import { cacheJa } from "../cache/words.ja";
import { editorEn } from "../editor/words.en";
import { editorJa } from "../editor/words.ja";
import { foldersEn } from "../folders/words.en";
import { foldersJa } from "../folders/words.ja";
import { hashStateEn } from "../hash-state/words.en";
import { hashStateJa } from "../hash-state/words.ja";
import { hashesEn } from "../hashes/words.en";
import { hashesJa } from "../hashes/words.ja";
import { historyEn } from "../history/words.en";
import { historyJa } from "../history/words.ja";
import { jobsEn } from "../jobs/words.en";
import { jobsJa } from "../jobs/words.ja";
import { markdownEn } from "../markdown/words.en";
import { markdownJa } from "../markdown/words.ja";
import { pagesEn } from "../pages/words.en";
import { pagesJa } from "../pages/words.ja";
import { searchEn } from "../search/words.en";
import { searchJa } from "../search/words.ja";
import { sessionsEn } from "../sessions/words.en";
import { sessionsJa } from "../sessions/words.ja";
import { visionEn } from "../vision/words.en";
import { visionJa } from "../vision/words.ja";
import { wikiEn } from "../wiki/words.en";
import { wikiJa } from "../wiki/words.ja";
import type { CatalogueLike } from "./message";
import { commonEn } from "./words.en";
import { commonJa } from "./words.ja";

export const en = {
  ...commonEn,
  ...appEn,
  ...wikiEn,
  ...editorEn,
  ...historyEn,
  ...pagesEn,
  ...assetsEn,
  ...archiveEn,
  ...cacheEn,
  ...foldersEn,
  ...markdownEn,
  ...hashStateEn,
  ...hashesEn,
  ...jobsEn,
  ...searchEn,
  ...sessionsEn,
  ...visionEn,
} as const;
export const ja: CatalogueLike<typeof en> = {
  ...commonJa,
  ...appJa,
  ...wikiJa,
  ...editorJa,
  ...historyJa,
  ...pagesJa,
  ...assetsJa,
  ...archiveJa,
  ...cacheJa,
  ...foldersJa,
  ...markdownJa,
  ...hashStateJa,
  ...hashesJa,
  ...jobsJa,
  ...searchJa,
  ...sessionsJa,
  ...visionJa,
};

export type MessageKey = keyof typeof en;

export const catalogues = { en, ja } as const;
export type Locale = keyof typeof catalogues;
