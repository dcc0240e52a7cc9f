// The listing of the current folder. While another order or filter is being read, the previous one stays on the screen.
import { untrack } from "svelte";
import type { Backend, FolderWatching, Marks } from "../../api/backend";
import { FolderWatch } from "../../api/events/folder-watch.svelte";
import type { EncodedPath } from "../../api/names";
import { isRecursive, type ListingQuery } from "../query/listing-query";
import { ChangeGate } from "./change-gate";
import { Listing } from "./listing.svelte";
import { isLasting } from "../../search-results/partial-words";
import { subscribeListing } from "./listing-events";
import { LiveResources } from "./live-resources";

/** The request for a listing, each part of which is reactive. */
export interface ListingRequest {
  root: () => string;
  path: () => EncodedPath;
  query: () => ListingQuery;
  /** True if some names soon are preferable to all of them at once. Called when a listing starts. */
  mayBePartial: () => boolean;
}

/** The pauses before a search is repeated that could not find all pictures yet, in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 8_000;

export class FolderListing {
  /** Delays updates while the user's own operations run. */
  readonly gate = new ChangeGate(() => {
    if (!this.#isDisposed) void this.requested.follow();
  });
  readonly #resources = new LiveResources();
  #isDisposed = false;
  #pause = FIRST_PAUSE;
  /** The previous listing, whose reading of the folder the next one continues. */
  #previous: Listing | null = null;
  /** The last listing that has answered. */
  #answered: Listing | null = null;
  /** True if everything below the folder is listed. */
  readonly isRecursive = $derived.by(() => isRecursive(this.request.query()));
  readonly #watch = $derived.by(() => new FolderWatch(this.backend, this.request.root(), this.request.path(), this.gate.notify, this.isRecursive));
  /** The listing for the current request. */
  readonly requested = $derived.by(() => {
    const { request } = this;
    const [root, path, query, { ready }] = [request.root(), request.path(), request.query(), this.#watch];
    return (this.#previous = untrack(() => new Listing(this.backend, root, path, query, ready, this.#previous, request.mayBePartial())));
  });
  /** The listing on the screen. */
  readonly current = $derived.by(() => {
    const { requested } = this;
    if (requested.state !== "loading") return (this.#answered = requested);
    const before = this.#answered;
    const isSameFolder = before?.root === requested.root && before.path === requested.path;
    return isSameFolder && before.state === "ready" ? before : requested;
  });

  constructor(
    private readonly backend: Backend,
    private readonly request: ListingRequest,
  ) {}

  /** The state of the watch; null if unknown. */
  get watching(): FolderWatching | null {
    return this.#watch.state;
  }

  /** Subscribes to the server's events. Returns a function that unsubscribes. */
  listen(): () => void {
    // The requested listing is notified, even before its answer arrives.
    return subscribeListing(() => this.requested, this.backend.events, this.gate.notify);
  }

  /** Disposes the watches and listings that are no longer in use. */
  disposeUnused(): void {
    this.#resources.retain(this.#watch, this.requested, this.current);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#resources.retain();
  }

  /**
   * Reads header data that the server has reported: at once beside the picture in the viewer, for other pictures once
   * all headers were read.
   */
  refreshMetadata(isViewerOpen: boolean): void {
    const { current } = this;
    if (current.isStale && (isViewerOpen || current.unread === 0 || current.isOverdue)) void current.refreshMetadata();
  }

  /** Repeats a search that could not find all pictures yet, after a growing pause. Returns a function that stops it. */
  completeSearch(): (() => void) | undefined {
    const { current } = this;
    void current.version;
    if (!current.partial || isLasting(current.partial)) {
      this.#pause = FIRST_PAUSE;
      return undefined;
    }
    const timer = setTimeout(() => void current.follow(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    return () => clearTimeout(timer);
  }

  renamed(names: ReadonlyMap<EncodedPath, EncodedPath>): void {
    for (const one of new Set([this.current, this.requested])) one.renamed(names);
  }

  marked(marks: ReadonlyMap<EncodedPath, Marks>): void {
    for (const one of new Set([this.current, this.requested])) one.marked(marks);
  }
}
