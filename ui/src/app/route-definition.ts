// The parts that every route must have.
import type { Component } from "svelte";
import type { Crumb } from "../api/host";

/** The views of the activity bar. */
export type Section = "wiki" | "pictures" | "hashes" | "cache" | "settings";

/** A command of the palette and the keyboard that opens a route. */
export interface RouteCommand {
  id: string;
  label: string;
  key: string;
  address: string;
}

/** An item of the activity bar; a press opens the address of the route's command. */
export interface ActivityItem {
  label: string;
  icon: Component;
  at: "start" | "end";
}

/** Labels follow the language, so they are read again at each use. */
export interface RouteDefinition<Parameters extends object, Module> {
  /** Returns the parameters in an address; null if the address belongs to another route. */
  parse(url: URL): Parameters | null;
  /** Fetches the code of the view, in a chunk of its own; null if the frame contains it. */
  load: (() => Module | Promise<Module>) | null;
  /** Identifies one visit of the view: addresses of the same visit share its state. */
  visit(parameters: Parameters): string;
  /** The crumbs until the view sets better ones. */
  crumbs(parameters: Parameters): Crumb[];
  /** The item of the activity bar that is marked while the route is open. */
  section: Section | null;
  /** Null if the route is reached by links only. */
  command: (() => RouteCommand) | null;
  /** Null if the route has no item of its own. */
  activity: (() => ActivityItem) | null;
}

/** Checks a definition, and infers the types of its parameters and its code. */
export function route<Parameters extends object, Module = null>(
  definition: RouteDefinition<Parameters, Module>,
): RouteDefinition<Parameters, Module> {
  return definition;
}
