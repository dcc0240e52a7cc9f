// The views that need more of the frame than its `ViewProps`. All others are components of their own.
import type { Component } from "svelte";
import type { ViewProps } from "../../view/definition";
import type { PreloadedPage } from "../../wiki";
import { type CodeOf, componentOf, type PlaceOf, type Route, type RouteName } from "../routes";
import AlbumRoute from "./AlbumRoute.svelte";
import AlbumsRoute from "./AlbumsRoute.svelte";
import CacheRoute from "./CacheRoute.svelte";
import EditRoute from "./EditRoute.svelte";
import HashesRoute from "./HashesRoute.svelte";
import HistoryRoute from "./HistoryRoute.svelte";
import PastRoute from "./PastRoute.svelte";
import PicturesRoute from "./PicturesRoute.svelte";
import PictureTagsRoute from "./PictureTagsRoute.svelte";
import TrashedPageRoute from "./TrashedPageRoute.svelte";
import UnknownRoute from "./UnknownRoute.svelte";
import WikiRoute from "./WikiRoute.svelte";

export interface ComposedProps<Name extends RouteName> extends ViewProps<PlaceOf<Name>> {
  /** The code that the route's `load` has fetched. */
  code: CodeOf<Name>;
  /** The data of the first page, which was requested ahead; null after the first call. */
  initialPage: () => PreloadedPage | null;
  /** True if the window or tab was opened with this address. */
  isFirst: boolean;
}

const composed: { [Name in RouteName]?: Component<ComposedProps<Name>> } = {
  album: AlbumRoute,
  albums: AlbumsRoute,
  wiki: WikiRoute,
  history: HistoryRoute,
  past: PastRoute,
  edit: EditRoute,
  pictures: PicturesRoute,
  pictureTags: PictureTagsRoute,
  hashes: HashesRoute,
  cache: CacheRoute,
  trashedPage: TrashedPageRoute,
  unknown: UnknownRoute,
};

/** The component of a route's view; the caller passes the place and the code of the same route. */
export function viewOf(route: Route, code: unknown): Component<Record<string, unknown>> {
  const view = componentOf(route, code) ?? (composed[route.name] as Component<Record<string, unknown>> | undefined);
  if (view === undefined) throw new Error(`no component for ${route.name}`);
  return view;
}
