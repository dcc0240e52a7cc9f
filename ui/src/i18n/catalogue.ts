// All texts of the page. Every folder brings its own pair of files; English decides which keys exist.
import { appEn } from "./app.en";
import { appJa } from "./app.ja";
import { assetsEn } from "./assets.en";
import { assetsJa } from "./assets.ja";
import { cacheEn } from "./cache.en";
import { cacheJa } from "./cache.ja";
import { editorFilesEn } from "./editor-files.en";
import { editorFilesJa } from "./editor-files.ja";
import { editorMergeEn } from "./editor-merge.en";
import { editorMergeJa } from "./editor-merge.ja";
import { editorEn } from "./editor.en";
import { editorJa } from "./editor.ja";
import { filesEn } from "./files.en";
import { filesJa } from "./files.ja";
import { filterEn } from "./filter.en";
import { filterJa } from "./filter.ja";
import { findingEn } from "./finding.en";
import { findingJa } from "./finding.ja";
import { foldersEn } from "./folders.en";
import { foldersJa } from "./folders.ja";
import { galleryEn } from "./gallery.en";
import { galleryJa } from "./gallery.ja";
import { hashReasonsEn } from "./hash-reasons.en";
import { hashReasonsJa } from "./hash-reasons.ja";
import { hashStatesEn } from "./hash-states.en";
import { hashStatesJa } from "./hash-states.ja";
import { hashesEn } from "./hashes.en";
import { hashesJa } from "./hashes.ja";
import { jobsEn } from "./jobs.en";
import { jobsJa } from "./jobs.ja";
import { marksEn } from "./marks.en";
import { marksJa } from "./marks.ja";
import type { CatalogueLike } from "./message";
import { pastEn } from "./past.en";
import { pastJa } from "./past.ja";
import { readingEn } from "./reading.en";
import { readingJa } from "./reading.ja";
import { searchEn } from "./search.en";
import { searchJa } from "./search.ja";
import { sessionsEn } from "./sessions.en";
import { sessionsJa } from "./sessions.ja";
import { visionEn } from "./vision.en";
import { visionJa } from "./vision.ja";
import { wikiEn } from "./wiki.en";
import { wikiJa } from "./wiki.ja";

export const en = {
  ...appEn,
  ...foldersEn,
  ...filesEn,
  ...marksEn,
  ...filterEn,
  ...galleryEn,
  ...wikiEn,
  ...editorEn,
  ...editorFilesEn,
  ...editorMergeEn,
  ...readingEn,
  ...assetsEn,
  ...pastEn,
  ...findingEn,
  ...jobsEn,
  ...cacheEn,
  ...hashesEn,
  ...hashStatesEn,
  ...hashReasonsEn,
  ...searchEn,
  ...sessionsEn,
  ...visionEn,
} as const;
export const ja: CatalogueLike<typeof en> = {
  ...appJa,
  ...foldersJa,
  ...filesJa,
  ...marksJa,
  ...filterJa,
  ...galleryJa,
  ...wikiJa,
  ...editorJa,
  ...editorFilesJa,
  ...editorMergeJa,
  ...readingJa,
  ...assetsJa,
  ...pastJa,
  ...findingJa,
  ...jobsJa,
  ...cacheJa,
  ...hashesJa,
  ...hashStatesJa,
  ...hashReasonsJa,
  ...searchJa,
  ...sessionsJa,
  ...visionJa,
};

export type MessageKey = keyof typeof en;

export const catalogues = { en, ja } as const;
export type Locale = keyof typeof catalogues;
