// The registry of views: an address is parsed by the definitions in this order, and no address belongs to two of them.
import type { Component } from "svelte";
import type { Crumb } from "../api/host";
import { album, albums } from "../albums/view";
import { orphanedAssets } from "../assets/view";
import { backup } from "../backups/view";
import { cache } from "../cache/view";
import { edit } from "../editor/view";
import { duplicates, pictures, pictureTags } from "../folders/view";
import { hashes } from "../hashes/view";
import { history, loadHistory, trash, trashedPage } from "../history/view";
import { t } from "../i18n";
import { importedTexts } from "../imported-texts/view";
import { mirror } from "../mirror/view";
import { pages } from "../pages/view";
import { search } from "../search/view";
import { type ActivityItem, defineView, once, type ViewDefinition } from "../view/definition";
import { loadWiki, past, wiki } from "../wiki/view";
import { tasks } from "../tasks/view";
import { quickNote } from "./pages/daily-notes/view";
import { settings } from "./settings/view";

/** A page in the trash is read in the view of pages. */
const loadTrashedPage = once(async () => {
  const [{ TrashedPageView }, { WikiView }] = await Promise.all([loadHistory(), loadWiki()]);
  return { TrashedPageView, WikiView };
});

/** An album is shown with the dialogs of the folders that print and export its pictures. */
const loadAlbum = once(() => import("../folders/export/AlbumOutput.svelte"));

/** In the order of their commands. */
export const routes = {
  search,
  wiki,
  past,
  history,
  edit,
  pictures,
  duplicates,
  albums,
  album: { ...album, load: loadAlbum },
  pictureTags,
  hashes,
  cache,
  pages,
  tasks,
  orphanedAssets,
  trash,
  trashedPage: { ...trashedPage, load: loadTrashedPage, component: null },
  settings,
  backup,
  importedTexts,
  mirror,
  quickNote,
  /** Every address that belongs to no other route. */
  unknown: defineView({ addresses: [], title: "state.not_found_crumb", load: null }),
};

type Routes = typeof routes;
export type RouteName = keyof Routes;
/** The parameters of a route's addresses. */
export type PlaceOf<Name extends RouteName> = NonNullable<ReturnType<Routes[Name]["parse"]>>;
/** An address as a route and its parameters. */
export type RouteOf<Name extends RouteName> = Name extends RouteName ? { name: Name; place: PlaceOf<Name> } : never;
export type Route = RouteOf<RouteName>;
/** The code of a route's view, as its `load` fetches it. */
export type CodeOf<Name extends RouteName> = Awaited<ReturnType<NonNullable<Routes[Name]["load"]>>>;

/** A command of the palette and the keyboard that opens a route. */
export interface RouteCommand {
  id: string;
  label: string;
  key: string;
  address: string;
}

type AnyDefinition = ViewDefinition<object, unknown>;
const entries = Object.entries(routes) as unknown as [RouteName, AnyDefinition][];

export function parseAddress(url: URL): Route {
  for (const [name, { parse }] of entries) {
    const place = parse(url);
    if (place !== null) return { name, place } as Route;
  }
  return { name: "unknown", place: {} };
}

function definitionOf({ name }: Route): AnyDefinition {
  return routes[name] as unknown as AnyDefinition;
}

/** The crumbs of an address, until the view sets better ones. */
export function crumbsOf(route: Route): Crumb[] {
  return definitionOf(route).crumbs(route.place);
}

/** The route whose item of the activity bar is marked while a route is open. */
export function sectionOf(route: Route): string | null {
  return definitionOf(route).section;
}

function commandOf({ command }: AnyDefinition): RouteCommand[] {
  return command === null ? [] : [{ ...command, label: t(command.label) }];
}

/** The items of the activity bar, with the commands that open them. */
export function activityItems(): (ActivityItem & RouteCommand & { name: RouteName })[] {
  return entries.flatMap(([name, definition]) => {
    const { activity, title } = definition;
    return activity === null ? [] : commandOf(definition).map((command) => ({ ...command, ...activity, label: t(title), name }));
  });
}

/** The commands that open routes: those of the activity bar first, or the others. */
export function routeCommands(from: "activity" | "elsewhere"): RouteCommand[] {
  const isFirst = ({ activity }: AnyDefinition) => activity?.at === "start";
  return entries.flatMap(([, definition]) => (isFirst(definition) === (from === "activity") ? commandOf(definition) : []));
}

/** Equal for two addresses of the same visit of a view. */
export function visitOf(route: Route): string {
  return `${route.name} ${definitionOf(route).visit(route.place)}`;
}

/** The component in a route's code; null if `views/` composes the view. */
export function componentOf(route: Route, code: unknown): Component<Record<string, unknown>> | null {
  return (definitionOf(route).component?.(code) ?? null) as Component<Record<string, unknown>> | null;
}

/** Fetches a view's code before it is entered. The view reports a failure when it is entered. */
export async function prefetch({ name }: Route): Promise<void> {
  try {
    await routes[name].load?.();
  } catch {
    // The view itself retries.
  }
}

/** `URL.parse`, which some engines lack. */
export function parseUrl(address: string, base?: string): URL | null {
  return URL.canParse(address, base) ? new URL(address, base) : null;
}
