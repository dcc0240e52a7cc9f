// The routes of the page, one entry each: its addresses, code, crumbs, command and item of the activity bar. The views
// themselves are in `views/`.
import Book from "@lucide/svelte/icons/book";
import Gauge from "@lucide/svelte/icons/gauge";
import Image from "@lucide/svelte/icons/image";
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import Settings2 from "@lucide/svelte/icons/sliders-horizontal";
import { CACHE_ADDRESS } from "../api/cache-address";
import { HASHES_ADDRESS, parseHashesAddress } from "../api/hashes-address";
import type { Crumb } from "../api/host";
import { parseSearchAddress, SEARCH_ADDRESS } from "../api/search";
import { parsePicturesAddress } from "../folders/query/address";
import { pairOf, revisionOf, TRASH_ADDRESS, trashedPagePlace } from "../history/address";
import { t } from "../i18n";
import { decodePath, lineageOf, nameOfPage, normalizePagePath, wikiUrl } from "../markdown/page-path";
import { PAGES_ADDRESS, parsePagesAddress } from "../pages/address";
import { type ActivityItem, route, type RouteCommand, type RouteDefinition, type Section } from "./route-definition";
import { loadAssets, loadCache, loadEditor, loadFolders, loadHashes, loadHistory, loadPages, loadSearch, loadTrashedPage, loadWiki } from "./view-loaders";

export const SETTINGS_ADDRESS = "/settings";

/** The address of the orphaned assets. */
export const ORPHANED_ASSETS_ADDRESS = "/settings/files";

/** In the order of their commands. No address belongs to two of them. */
export const routes = {
  search: route({
    parse: parseSearchAddress,
    load: loadSearch,
    visit: () => "",
    crumbs: () => [{ label: t("search.title") }],
    section: "wiki",
    command: () => ({ id: "search", label: t("search.go"), key: "Mod+Shift+f", address: SEARCH_ADDRESS }),
    activity: null,
  }),
  wiki: route({
    parse: (url) => {
      const path = readPath(url);
      return path === null || pairOf(url) !== undefined ? null : { path, revision: revisionOf(url) };
    },
    load: loadWiki,
    visit: ({ path, revision }) => `${revision ?? ""} ${path}`,
    crumbs: ({ path }) => pageCrumbs(path),
    section: "wiki",
    command: () => ({ id: "go-wiki", label: t("keys.go_wiki"), key: "Alt+1", address: "/wiki/" }),
    activity: () => ({ label: t("activity_bar.wiki"), icon: Book, at: "start" }),
  }),
  history: route({
    parse: (url) => {
      const path = readPath(url);
      const pair = pairOf(url);
      return path === null || pair === undefined ? null : { path, pair };
    },
    load: loadHistory,
    visit: ({ path }) => path,
    crumbs: ({ path }) => pageCrumbs(path),
    section: "wiki",
    command: null,
    activity: null,
  }),
  edit: route({
    parse: ({ pathname }) => {
      const path = pathBelow(pathname, "/edit");
      return path === null ? null : { path };
    },
    load: loadEditor,
    visit: ({ path }) => path,
    crumbs: ({ path }) => pageCrumbs(path),
    section: "wiki",
    command: null,
    activity: null,
  }),
  pictures: route({
    parse: parsePicturesAddress,
    load: loadFolders,
    visit: () => "",
    crumbs: () => [{ label: t("activity_bar.pictures") }],
    section: "pictures",
    command: () => ({ id: "go-pictures", label: t("keys.go_pictures"), key: "Alt+2", address: "/pictures/" }),
    activity: () => ({ label: t("activity_bar.pictures"), icon: Image, at: "start" }),
  }),
  hashes: route({
    parse: parseHashesAddress,
    load: loadHashes,
    visit: () => "",
    crumbs: () => [{ label: t("activity_bar.hashes") }],
    section: "hashes",
    command: () => ({ id: "go-hashes", label: t("keys.go_hashes"), key: "Alt+3", address: HASHES_ADDRESS }),
    activity: () => ({ label: t("activity_bar.hashes"), icon: ShieldCheck, at: "start" }),
  }),
  cache: route({
    parse: at(CACHE_ADDRESS),
    load: loadCache,
    visit: () => "",
    crumbs: () => [{ label: t("activity_bar.cache") }],
    section: "cache",
    command: () => ({ id: "go-cache", label: t("keys.go_cache"), key: "Alt+4", address: CACHE_ADDRESS }),
    activity: () => ({ label: t("activity_bar.cache"), icon: Gauge, at: "start" }),
  }),
  pages: route({
    parse: parsePagesAddress,
    load: loadPages,
    visit: () => "",
    crumbs: () => [{ label: t("list.title") }],
    section: "wiki",
    command: () => ({ id: "go-pages", label: t("list.show"), key: "l", address: PAGES_ADDRESS }),
    activity: null,
  }),
  orphanedAssets: route({
    parse: at(ORPHANED_ASSETS_ADDRESS),
    load: loadAssets,
    visit: () => "",
    crumbs: () => [{ label: t("settings.title"), href: SETTINGS_ADDRESS }, { label: t("orphaned_assets.title") }],
    section: "settings",
    command: () => ({ id: "go-lost-files", label: t("orphaned_assets.show"), key: "Mod+Alt+,", address: ORPHANED_ASSETS_ADDRESS }),
    activity: null,
  }),
  trash: route({
    parse: (url) => (url.pathname === TRASH_ADDRESS && trashedPagePlace(url) === null ? {} : null),
    load: loadHistory,
    visit: () => "",
    crumbs: () => [{ label: t("trash.title") }],
    section: "wiki",
    command: () => ({ id: "go-bin", label: t("keys.go_trash"), key: "b", address: TRASH_ADDRESS }),
    activity: null,
  }),
  trashedPage: route({
    parse: trashedPagePlace,
    load: loadTrashedPage,
    visit: ({ id, revision, pair }) => `${id} ${pair === undefined ? `text ${revision ?? ""}` : "history"}`,
    crumbs: () => [{ label: t("trash.title") }],
    section: "wiki",
    command: null,
    activity: null,
  }),
  settings: route({
    parse: at(SETTINGS_ADDRESS),
    load: null,
    visit: () => "",
    crumbs: () => [{ label: t("settings.title") }],
    section: "settings",
    command: () => ({ id: "go-settings", label: t("keys.go_settings"), key: "Mod+,", address: SETTINGS_ADDRESS }),
    activity: () => ({ label: t("activity_bar.settings"), icon: Settings2, at: "end" }),
  }),
  /** Every address that belongs to no other route. */
  unknown: route({
    parse: () => null,
    load: null,
    visit: () => "",
    crumbs: () => [{ label: t("state.not_found_crumb") }],
    section: null,
    command: null,
    activity: null,
  }),
};

type Routes = typeof routes;
export type RouteName = keyof Routes;
/** An address as a route and its parameters. */
export type RouteOf<Name extends RouteName> = Name extends RouteName
  ? { name: Name } & (Name extends "unknown" ? object : NonNullable<ReturnType<Routes[Name]["parse"]>>)
  : never;
export type Route = RouteOf<RouteName>;
/** The code of a route's view, as its `load` fetches it. */
export type ModuleOf<Name extends RouteName> = Awaited<ReturnType<NonNullable<Routes[Name]["load"]>>>;

const entries = Object.entries(routes) as [RouteName, RouteDefinition<object, unknown>][];

export function parseAddress(url: URL): Route {
  for (const [name, definition] of entries) {
    const parameters = definition.parse(url);
    if (parameters !== null) return { name, ...parameters } as Route;
  }
  return { name: "unknown" };
}

function definitionOf({ name }: Route): RouteDefinition<Route, unknown> {
  return routes[name] as RouteDefinition<never, unknown>;
}

/** The crumbs of an address, until the view sets better ones. */
export function crumbsOf(route: Route): Crumb[] {
  return definitionOf(route).crumbs(route);
}

/** The section of the activity bar that a route belongs to. */
export function sectionOf(route: Route): Section | null {
  return definitionOf(route).section;
}

/** The items of the activity bar, with the commands that open them. */
export function activityItems(): (ActivityItem & RouteCommand & { name: RouteName })[] {
  return entries.flatMap(([name, { activity, command }]) => (activity && command ? [{ ...command(), ...activity(), name }] : []));
}

/** The commands that open routes: those of the activity bar first, or the others. */
export function routeCommands(from: "activity" | "elsewhere"): RouteCommand[] {
  const isFirst = ({ activity }: RouteDefinition<object, unknown>) => activity?.().at === "start";
  return entries.flatMap(([, definition]) => (definition.command && isFirst(definition) === (from === "activity") ? [definition.command()] : []));
}

/** Equal for two addresses of the same visit of a view. */
export function visitOf(route: Route): string {
  return `${route.name} ${definitionOf(route).visit(route)}`;
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

/** A parser of one address. */
function at(address: string): (url: URL) => object | null {
  return ({ pathname }) => (pathname === address ? {} : null);
}

/** The path of a page that is read, in any of its views. */
function readPath({ pathname }: URL): string | null {
  return pathname === "/" ? "/" : pathBelow(pathname, "/wiki");
}

function pathBelow(pathname: string, base: string): string | null {
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  const segments = pathname.slice(base.length).split("/").map(decodePath);
  return normalizePagePath(`/${segments.join("/")}`);
}

function pageCrumbs(path: string): Crumb[] {
  if (path === "/") return [{ label: t("tree.top") }];
  const above = lineageOf(path).slice(1, -1);
  return [...above.map((page) => ({ label: nameOfPage(page), href: wikiUrl(page) })), { label: nameOfPage(path) }];
}
