// Moving pages, trashing and restoring them.
import { type ApiClient, data } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RenamedPage = Schemas["RenamedPage"];
export type MovedLink = Schemas["MovedLink"];
export type DeletedPage = Schemas["DeletedPage"];

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
  countSubpages(path: string, signal?: AbortSignal): Promise<number>;
  /** The page above; the destination after this page is gone. */
  parent(pageId: string, signal?: AbortSignal): Promise<string>;
}

/** The number of names of a level per request. */
const LEVEL = 1_000;

export function movesApi(client: ApiClient): MovesApi {
  return {
    preview: (id, { to, recursive }, signal) => {
      const params = { path: { page_id: id }, query: { rename_to: to, recursive, preview: true } };
      return data(client.POST("/api/pages/{page_id}/path", { params, signal })) as Promise<RenamedPage>;
    },
    rename: (id, { to, recursive }) => {
      const params = { path: { page_id: id }, query: { rename_to: to, recursive } };
      return data(client.POST("/api/pages/{page_id}/path", { params })) as Promise<RenamedPage>;
    },
    async remove(id, { recursive, hard }) {
      await client.DELETE("/api/pages/{page_id}", { params: { path: { page_id: id }, query: { recursive, hard } } });
    },
    async restore(id, { to, recursive }) {
      const params = { path: { page_id: id }, query: { restore_to: to, recursive } };
      // Without warnings, the answer has no body.
      return (await data(client.POST("/api/pages/{page_id}/path", { params })))?.warnings ?? [];
    },
    trash: ({ after, limit }, signal) => data(client.GET("/api/pages/deleted", { params: { query: { after, limit } }, signal })),
    deletedAt: (path, signal) => data(client.GET("/api/pages/deleted", { params: { query: { path } }, signal })),
    async countSubpages(path, signal) {
      let [count, after] = [0, undefined as string | undefined];
      for (;;) {
        const query = { path, after, limit: LEVEL };
        const level = await data(client.GET("/api/pages/children", { params: { query }, signal }));
        for (const { page_id, pages } of level.items) count += pages + (page_id ? 1 : 0);
        after = level.items.at(-1)?.name;
        if (!level.has_more || after === undefined) return count;
      }
    },
    parent: async (id, signal) => (await data(client.GET("/api/pages/{page_id}/parent", { params: { path: { page_id: id } }, signal }))).path,
  };
}
