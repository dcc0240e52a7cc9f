// Albums: ordered lists of pictures from any folders, and saved searches (docs/API.md).
import type { FilePlace } from "./backend";
import { type ApiClient, data, placeFields, placeQuery } from "./transport/client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type AlbumInfo = Schemas["AlbumInfo"];
export type AlbumContents = Schemas["AlbumContents"];
export type AlbumPicture = Schemas["AlbumPicture"];
export type ContainingAlbum = Schemas["ContainingAlbum"];

export type AlbumsApi = ReturnType<typeof albumsApi>;

export function albumsApi(client: ApiClient) {
  const of = (id: string) => ({ path: { id } });
  return {
    /** The favourites first, then by name. */
    list: (signal?: AbortSignal, joined?: boolean) => data(client.GET("/api/albums", { params: { query: { joined } }, signal })),
    get: (id: string, signal?: AbortSignal, joined?: boolean) => data(client.GET("/api/albums/{id}", { params: { ...of(id), query: { joined } }, signal })),
    create: (name: string, places: readonly FilePlace[] = []) => data(client.POST("/api/albums", { body: { name, items: places.map(placeFields) } })),
    /** Creates a smart album, which has the pictures that a search finds. */
    createSmart: (name: string, search: string) => data(client.POST("/api/albums", { body: { name, search } })),
    change: (id: string, body: Schemas["AlbumChange"]) => data(client.PUT("/api/albums/{id}", { params: of(id), body })),
    async remove(id: string) {
      await client.DELETE("/api/albums/{id}", { params: of(id) });
    },
    restore: (id: string) => data(client.POST("/api/albums/{id}/restore", { params: of(id) })),
    /** Adds pictures at the end; those that the album has stay where they are. */
    add: (id: string, places: readonly FilePlace[], before?: string) =>
      data(client.POST("/api/albums/{id}/pictures", { params: of(id), body: { items: places.map(placeFields), before: before ?? null } })),
    /** Adds pictures to the favourites, which are created with this name. */
    addFavourites: (places: readonly FilePlace[], name: string) => data(client.POST("/api/albums/favourites", { body: { items: places.map(placeFields), name } })),
    /** Moves pictures before another one, or to the end. */
    arrange: (id: string, items: string[], before: string | null) => data(client.POST("/api/albums/{id}/arrange", { params: of(id), body: { items, before } })),
    takeOut: (id: string, items: string[], joined?: boolean) => data(client.POST("/api/albums/{id}/remove", { params: of(id), body: { items, joined } })),
    takeOutPlaces: (id: string, places: readonly FilePlace[], joined?: boolean) =>
      data(client.POST("/api/albums/{id}/remove", { params: of(id), body: { places: places.map(placeFields), joined } })),
    /** The albums that contain a picture. */
    containing: (place: FilePlace, signal?: AbortSignal) => data(client.GET("/api/files/albums", { params: { query: placeQuery(place) }, signal })),
    /** Starts a job that searches for pictures that are gone; returns its id. */
    find: async () => (await data(client.POST("/api/albums/find"))).id,
  };
}
