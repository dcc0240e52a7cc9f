// Moving pages, trashing and restoring them.
import { address, type RequestOptions, type Send } from "./request";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RenamedPage = Schemas["RenamedPage"];
export type MovedLink = Schemas["MovedLink"];
export type DeletedPage = Schemas["DeletedPage"];
type ChildList = Schemas["ChildList"];

export interface RenameQuery {
  to: string;
  /** True to include everything below. */
  recursive: boolean;
}

export interface MovesApi {
  /** Returns the effect of a rename, or the reason for its refusal; changes nothing. */
  preview(pageId: string, query: RenameQuery, signal?: AbortSignal): Promise<RenamedPage>;
  /** Leaves the pages that link to it unchanged: their links still lead to it. */
  rename(pageId: string, query: RenameQuery): Promise<RenamedPage>;
  /** Moves a page to the trash; deletes it permanently with `hard`, also from the trash. */
  remove(pageId: string, options: { recursive: boolean; hard?: boolean }): Promise<void>;
  /**
   * Restores a page from the trash, with `recursive` also those that were deleted along with it. Returns the links
   * whose meaning changed.
   */
  restore(pageId: string, query: RenameQuery): Promise<MovedLink[]>;
  /** The trash, the latest first; `after` is the cursor to continue from. */
  trash(query: { after?: string | undefined; limit?: number }, signal?: AbortSignal): Promise<DeletedPage[]>;
  /** The pages deleted at a path that can be restored there, the latest first. */
  deletedAt(path: string, signal?: AbortSignal): Promise<DeletedPage[]>;
  /** The number of pages below a path, on all levels. */
  beneath(path: string, signal?: AbortSignal): Promise<number>;
  /** The page above; the destination after this page is gone. */
  parent(pageId: string, signal?: AbortSignal): Promise<string>;
}

/** The number of names of a level per request. */
const LEVEL = 1_000;

export function movesApi(send: Send): MovesApi {
  const get = async <T>(path: string, options: RequestOptions) => (await send("GET", path, options)).json() as Promise<T>;
  const move = async (id: string, query: RequestOptions["query"], signal?: AbortSignal) =>
    send("POST", `${page(id)}/path`, { query: query ?? {}, signal });
  return {
    async preview(id, { to, recursive }, signal) {
      const response = await move(id, { rename_to: to, recursive, preview: true }, signal);
      return (await response.json()) as RenamedPage;
    },
    async rename(id, { to, recursive }) {
      return (await (await move(id, { rename_to: to, recursive })).json()) as RenamedPage;
    },
    async remove(id, { recursive, hard }) {
      await send("DELETE", page(id), { query: { recursive, hard } });
    },
    async restore(id, { to, recursive }) {
      const response = await move(id, { restore_to: to, recursive });
      return response.status === 204 ? [] : ((await response.json()) as Schemas["RestoredPage"]).warnings;
    },
    trash: ({ after, limit }, signal) => get("/api/pages/deleted", { query: { after, limit }, signal }),
    deletedAt: (path, signal) => get("/api/pages/deleted", { query: { path }, signal }),
    async beneath(path, signal) {
      let [count, after] = [0, undefined as string | undefined];
      for (;;) {
        const level = await get<ChildList>("/api/pages/children", { query: { path, after, limit: LEVEL }, signal });
        for (const { page_id, pages } of level.items) count += pages + (page_id ? 1 : 0);
        after = level.items.at(-1)?.name;
        if (!level.has_more || after === undefined) return count;
      }
    },
    parent: async (id, signal) => (await get<{ path: string }>(`${page(id)}/parent`, { signal })).path,
  };
}

function page(id: string): string {
  return address(`/api/pages/${encodeURIComponent(id)}`);
}
