// Forwards the server's events about a folder to its listing.
import { SEARCH_ROOT } from "../../api/addresses/found-address";
import type { ApiEvents } from "../../api/events/events";
import { encodePathFields } from "../../api/names";
import { dependsOnHeaders, isRecursive } from "../query/listing-query";
import { namesAlbum } from "../query/order";
import type { Listing } from "./listing.svelte";

/**
 * Subscribes the current listing. `onchange` is called when its folder may have changed. Returns a function that
 * unsubscribes.
 */
export function subscribeListing(current: () => Listing, events: ApiEvents, onchange: () => void): () => void {
  const removers = [
    events.on("folder.changed", ({ root, path, path_bytes }) => {
      const listing = current();
      const isThis = path === null || path === undefined || encodePathFields(path, path_bytes) === listing.path;
      if (listing.root === SEARCH_ROOT || (root === listing.root && isThis)) onchange();
    }),
    events.on("albums.changed", () => (namesAlbum(current().query.search ?? "") ? onchange() : undefined)),
    events.on("folder.read", ({ root, path, path_bytes, beneath, unread }) => {
      const listing = current();
      const isThis = root === listing.root && encodePathFields(path, path_bytes) === listing.path;
      if (isThis && (beneath ?? false) === isRecursive(listing.query)) reportHeaders(listing, unread);
    }),
    events.on("folder.listed", ({ listing: listed }) => current().completeNames(listed)),
    events.on("resync", onchange),
  ];
  return () => {
    for (const remove of removers) remove();
  };
}

/** If the choice or the order of pictures depends on headers, it is known only after all of them were read. */
function reportHeaders(listing: Listing, unread: number): void {
  listing.reportUnread(unread);
  if (dependsOnHeaders(listing.query) && unread === 0) void listing.follow();
}
