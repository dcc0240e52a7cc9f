// Searches for duplicates of pictures and for similar ones (docs/API.md).
import type { FilePlace } from "./backend";
import { type ApiClient, data, placeFields } from "./transport/client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type DuplicateGroups = Schemas["DuplicateGroups"];
export type DuplicateGroup = Schemas["DuplicateGroup"];
export type DuplicateMember = Schemas["DuplicateMember"];
export type Likeness = Schemas["Likeness"];

export function duplicatesApi(client: ApiClient) {
  const of = (id: string) => ({ path: { id } });
  return {
    /** Starts a search in a folder and below it, or in all folders; returns the id of its job. */
    search: async (folder: FilePlace | null, likeness: Likeness) => (await data(client.POST("/api/duplicates", { body: { ...(folder && { folder: placeFields(folder) }), likeness } }))).id,
    /** A part of the groups that a search found, as they are now. */
    groups: (id: string, { offset, limit }: { offset: number; limit: number }, signal?: AbortSignal) =>
      data(client.GET("/api/duplicates/{id}", { params: { ...of(id), query: { offset, limit } }, signal })),
    /** Moves pictures of groups to the trash, unless they have changed. */
    bin: (id: string, items: readonly FilePlace[]) => data(client.POST("/api/duplicates/{id}/bin", { params: of(id), body: { items: items.map(placeFields) } })),
  };
}
