// The orphaned assets, read a part at a time and updated by events, as reactive state.
import type { Asset, Backend } from "../api/backend";
import { PagedRows } from "../list";

const PART_SIZE = 100;

export class OrphanedAssets extends PagedRows<Asset> {
  constructor(private readonly backend: Pick<Backend, "assets" | "events">) {
    super(async (before, limit, signal) => {
      // An item beyond the limit indicates that there are more.
      const assets = await backend.assets.orphans({ offset: before.length, limit: limit + 1 }, signal);
      return { items: assets.slice(0, limit), hasMore: assets.length > limit };
    }, PART_SIZE);
  }

  /** Reads the assets and follows the server's events; returns a function that stops it. */
  listen(): () => void {
    const { events } = this.backend;
    return this.follow((changed) => [events.on("asset.changed", changed), events.on("resync", changed)]);
  }
}
