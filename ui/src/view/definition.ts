// The definition of a view, in the `view.ts` of its folder: its addresses, code, crumbs, command and item of the activity
// bar. `app/routes.ts` registers it; the build lists its addresses and files for the server.
import type { Component } from "svelte";
import type { Backend } from "../api/backend";
import { ApiError } from "../api/errors";
import type { Crumb, Host } from "../api/host";
import { t } from "../i18n";
import type { MessageKey, Messages } from "../i18n/catalogue";
import type { PlaceholdersOf } from "../i18n/message";

/** The props that the frame passes to every view. */
export interface ViewProps<Place> {
  /** The parameters of the address. */
  place: Place;
  backend: Backend;
  host: Host;
  /** The present time for "2 minutes ago". */
  now: Date;
}

/** The keys of messages without placeholders. */
type Label = { [Key in MessageKey]: PlaceholdersOf<Messages[Key]> extends never ? Key : never }[MessageKey];

/** A command of the palette and the keyboard that opens a view. */
export interface ViewCommand {
  id: string;
  label: Label;
  key: string;
  address: string;
}

/** An item of the activity bar; a press opens the address of the view's command. */
export interface ActivityItem {
  icon: Component;
  at: "start" | "end";
}

/** The parts of a view's definition that have a default. */
interface Defaults<Place> {
  /** Returns the parameters in an address; null if the address belongs to another view. By default, the view has one address. */
  parse: (url: URL) => Place | null;
  /** Identifies one visit of the view: addresses of the same visit share its state. By default, all do. */
  visit: (place: Place) => string;
  /** The crumbs until the view sets better ones: the title by default. */
  crumbs: (place: Place) => Crumb[];
  /** The view whose item of the activity bar is marked while this one is open. */
  section: string | null;
  /** Null if the view is reached by links only. */
  command: ViewCommand | null;
  /** Null if the view has no item of its own. */
  activity: ActivityItem | null;
}

export interface ViewDefinition<Place, Code> extends Defaults<Place> {
  /** `/bin`, or `/wiki/*` for all addresses below. The server answers them with the frame. */
  addresses: readonly string[];
  title: Label;
  /** Fetches the code of the view, in a chunk of its own; null if the frame contains it. */
  load: (() => Code | Promise<Code>) | null;
  /** The component in the code; null if `app/views/` composes the view. */
  component: ((code: Code) => Component<ViewProps<Place>>) | null;
}

type Options<Place, Code> = Partial<Defaults<Place>> & Pick<ViewDefinition<Place, Code>, "addresses" | "title" | "load"> & Partial<Pick<ViewDefinition<Place, Code>, "component">>;

/** Completes a definition. */
export function defineView<Place extends object = object, Code = null>(options: Options<Place, Code>): ViewDefinition<Place, Code> {
  const { addresses, title } = options;
  return {
    parse: ({ pathname }) => (addresses.includes(pathname) ? ({} as Place) : null),
    visit: () => "",
    crumbs: () => [{ label: t(title) }],
    section: null,
    command: null,
    activity: null,
    component: null,
    ...options,
  };
}

/**
 * Fetches code once; a failed request is repeated by the next call. Returns loaded code synchronously: a view that waited
 * for it would be drawn twice.
 */
export function once<Code extends object>(load: () => Promise<Code>): () => Code | Promise<Code> {
  let loaded: Code | null = null;
  let loading: Promise<Code> | null = null;
  return () => {
    loading ??= load().then(
      (code) => (loaded = code),
      (cause: unknown) => {
        loading = null;
        throw new ApiError("unreachable", 0, "a part of the page did not come", {}, { cause });
      },
    );
    return loaded ?? loading;
  };
}
