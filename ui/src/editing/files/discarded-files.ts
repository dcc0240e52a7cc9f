// The files that a discarded text leaves unused: those added during the edit and shown nowhere else.
import { usesIn } from "../../markdown/links/asset-uses";
import type { Asset, Backend } from "../../api/backend";
import { offersOf } from "../autosave-offers";

export interface DiscardedText {
  pageId: string;
  path: string;
  text: string;
  /** The revision that the text is based on; null if unknown, and for a page that was never saved. */
  baseRevision: number | null;
  /** The names of files known to have been added for it. */
  added?: ReadonlySet<string>;
  /** The texts that remain, with the files that they show. */
  remaining?: readonly string[];
}

type Parts = Pick<Backend, "assets" | "pages" | "autosave">;

/** Deletes those files; returns them, so that they can be restored. */
export async function deleteFilesOf(backend: Parts, discarded: DiscardedText): Promise<Asset[]> {
  const unused = await findUnusedFiles(backend, discarded);
  for (const { id } of unused) await backend.assets.remove(id);
  return unused;
}

async function findUnusedFiles(backend: Parts, { pageId, path, text, baseRevision, added, remaining = [] }: DiscardedText): Promise<Asset[]> {
  const used = usesIn(text, path);
  if (used.size === 0 && (added === undefined || added.size === 0)) return [];
  const [files, startTime] = await Promise.all([backend.assets.list(pageId), timeOf(backend, pageId, baseRevision)]);
  const isNew = ({ file_name, created_at }: Asset) => added?.has(file_name) === true || (used.has(file_name) && Date.parse(created_at) > startTime);
  const newFiles = files.filter(isNew);
  if (newFiles.length === 0) return [];
  const newest = (await backend.pages.source(pageId)).text;
  const unsaved = await offersOf(backend.autosave, await backend.autosave.list(path), newest);
  const uses = [newest, ...unsaved.map(({ source }) => source), ...remaining].map((one) => usesIn(one, path));
  return newFiles.filter(({ file_name }) => !uses.some((use) => use.has(file_name)));
}

/** The time when a revision was saved, in ms; later than everything if unknown. */
async function timeOf({ pages }: Pick<Backend, "pages">, pageId: string, revision: number | null): Promise<number> {
  if (revision === null) return Infinity;
  const { revision_info } = await pages.meta(pageId, revision);
  return revision_info ? Date.parse(revision_info.timestamp) : Infinity;
}
