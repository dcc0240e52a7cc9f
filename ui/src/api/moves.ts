// Pages that move, go into the bin and come back.
import { address, type RequestOptions, type Send } from "./request";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RenamedPage = Schemas["RenamedPage"];
export type MovedLink = Schemas["MovedLink"];
export type DeletedPage = Schemas["DeletedPage"];
type ChildList = Schemas["ChildList"];

export interface RenameQuery {
  to: string;
  /** All that lies beneath goes along. */
  recursive: boolean;
}

export interface MovesApi {
  /** What renaming would do, or why it would be refused; nothing is changed. */
  preview(pageId: string, query: RenameQuery, signal?: AbortSignal): Promise<RenamedPage>;
  /** The pages that link to it are not touched: they lead to it all the same. */
  rename(pageId: string, query: RenameQuery): Promise<RenamedPage>;
  /** Into the bin; for good with `hard`, also from the bin. */
  remove(pageId: string, options: { recursive: boolean; hard?: boolean }): Promise<void>;
  /** Out of the bin, with `recursive` those too that were deleted along with it. The links that mean something else now. */
  restore(pageId: string, query: RenameQuery): Promise<MovedLink[]>;
  /** The bin, the latest first; `after` is the cursor of the page to go on from. */
  bin(query: { after?: string | undefined; limit?: number }, signal?: AbortSignal): Promise<DeletedPage[]>;
  /** What was deleted at a path and can come back there, the latest first. */
  deletedAt(path: string, signal?: AbortSignal): Promise<DeletedPage[]>;
  /** How many pages lie beneath a path, on all levels. */
  beneath(path: string, signal?: AbortSignal): Promise<number>;
  /** The page above, for somewhere to go when this one has gone. */
  parent(pageId: string, signal?: AbortSignal): Promise<string>;
}

/** The names of the parts of a level are asked for so many at a time. */
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
    bin: ({ after, limit }, signal) => get("/api/pages/deleted", { query: { after, limit }, signal }),
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
