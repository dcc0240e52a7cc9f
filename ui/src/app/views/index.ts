// The view of each route, with the parts of the frame that it needs.
import type { Component } from "svelte";
import SettingsView from "../SettingsView.svelte";
import type { Route, RouteName } from "../routes";
import CacheRoute from "./CacheRoute.svelte";
import EditRoute from "./EditRoute.svelte";
import HashesRoute from "./HashesRoute.svelte";
import HistoryRoute from "./HistoryRoute.svelte";
import OrphanedAssetsRoute from "./OrphanedAssetsRoute.svelte";
import PagesRoute from "./PagesRoute.svelte";
import PicturesRoute from "./PicturesRoute.svelte";
import type { ViewProps } from "./props";
import SearchRoute from "./SearchRoute.svelte";
import TrashRoute from "./TrashRoute.svelte";
import TrashedPageRoute from "./TrashedPageRoute.svelte";
import UnknownRoute from "./UnknownRoute.svelte";
import WikiRoute from "./WikiRoute.svelte";

const views: { [Name in RouteName]: Component<ViewProps<Name>> } = {
  search: SearchRoute,
  wiki: WikiRoute,
  history: HistoryRoute,
  edit: EditRoute,
  pictures: PicturesRoute,
  hashes: HashesRoute,
  cache: CacheRoute,
  pages: PagesRoute,
  orphanedAssets: OrphanedAssetsRoute,
  trash: TrashRoute,
  trashedPage: TrashedPageRoute,
  settings: SettingsView,
  unknown: UnknownRoute,
};

/** The props of any view: the caller passes the route and the code of the same name. */
type AnyViewProps = Omit<ViewProps<RouteName>, "module" | "route"> & { route: Route; module: unknown };

export function viewOf(name: RouteName): Component<AnyViewProps> {
  return views[name] as Component<never> as Component<AnyViewProps>;
}
