// Moving pages, trashing and restoring them.
import { type ApiClient, data } from "./transport/client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RenamedPage = Schemas["RenamedPage"];
export type MovedLink = Schemas["MovedLink"];
export type NewPage = Schemas["NewPage"];
export type MergedPage = Schemas["MergedPage"];
export type DeletedPage = Schemas["DeletedPage"];

export interface RenameQuery {
  to: string;
  /** True to include everything below. */
  recursive: boolean;
}

/** The number of names of a level per request. */
const LEVEL = 1_000;

export type MovesApi = ReturnType<typeof movesApi>;

export function movesApi(client: ApiClient) {
  return {
    /** Returns the effect of a rename, or the reason for its refusal; changes nothing. */
    preview: (id: string, { to, recursive }: RenameQuery, signal?: AbortSignal) => {
      const params = { path: { page_id: id }, query: { rename_to: to, recursive, preview: true } };
      return data(client.POST("/api/pages/{page_id}/path", { params, signal })) as Promise<RenamedPage>;
    },
    /** Leaves the pages that link to it unchanged: their links still lead to it. */
    rename: (id: string, { to, recursive }: RenameQuery) => {
      const params = { path: { page_id: id }, query: { rename_to: to, recursive } };
      return data(client.POST("/api/pages/{page_id}/path", { params })) as Promise<RenamedPage>;
    },
    /** Moves a page to the trash; deletes it permanently with `hard`, also from the trash. */
    async remove(id: string, { recursive, hard }: { recursive: boolean; hard?: boolean }) {
      await client.DELETE("/api/pages/{page_id}", { params: { path: { page_id: id }, query: { recursive, hard } } });
    },
    /**
     * Restores a page from the trash, with `recursive` also those that were deleted along with it. Returns the links
     * whose meaning changed.
     */
    async restore(id: string, { to, recursive }: RenameQuery): Promise<MovedLink[]> {
      const params = { path: { page_id: id }, query: { restore_to: to, recursive } };
      // Without warnings, the answer has no body.
      return (await data(client.POST("/api/pages/{page_id}/path", { params })))?.warnings ?? [];
    },
    /** Duplicates a page with its files. */
    duplicate: (id: string) => data(client.POST("/api/pages/{page_id}/duplicate", { params: { path: { page_id: id } } })),
    /** Creates a page with a part of another one; the other one stays as it is. */
    extract: (id: string, body: { path: string; source: string }) => data(client.POST("/api/pages/{page_id}/extract", { params: { path: { page_id: id } }, body })),
    /** Appends a page to another one, and moves it to the trash. The answer undoes it. */
    merge: (id: string, into: string) => data(client.POST("/api/pages/{page_id}/merge", { params: { path: { page_id: id } }, body: { into } })),
    async unmerge(id: string, merged: MergedPage) {
      await client.POST("/api/pages/{page_id}/unmerge", { params: { path: { page_id: id } }, body: merged });
    },
    /** The trash, the latest first; `after` is the cursor to continue from. */
    trash: ({ after, limit }: { after?: string | undefined; limit?: number }, signal?: AbortSignal) => data(client.GET("/api/pages/deleted", { params: { query: { after, limit } }, signal })),
    /** The pages deleted at a path that can be restored there, the latest first. */
    deletedAt: (path: string, signal?: AbortSignal) => data(client.GET("/api/pages/deleted", { params: { query: { path } }, signal })),
    /** The number of pages below a path, on all levels. */
    async countSubpages(path: string, signal?: AbortSignal) {
      let [count, after] = [0, undefined as string | undefined];
      for (;;) {
        const query = { path, after, limit: LEVEL };
        const level = await data(client.GET("/api/pages/children", { params: { query }, signal }));
        for (const { page_id, pages } of level.items) count += pages + (page_id ? 1 : 0);
        after = level.items.at(-1)?.name;
        if (!level.has_more || after === undefined) return count;
      }
    },
    /** The pages directly below a path, and names that only occur in the paths of other pages. */
    async children(path: string, signal?: AbortSignal, at?: string) {
      const children = [];
      let after: string | undefined;
      for (;;) {
        const query = { path, after, limit: LEVEL, at };
        const level = await data(client.GET("/api/pages/children", { params: { query }, signal }));
        children.push(...level.items);
        after = level.items.at(-1)?.name;
        if (!level.has_more || after === undefined) return children;
      }
    },
    /** The page above; the destination after this page is gone. */
    parent: async (id: string, signal?: AbortSignal) => (await data(client.GET("/api/pages/{page_id}/parent", { params: { path: { page_id: id } }, signal }))).path,
  };
}
