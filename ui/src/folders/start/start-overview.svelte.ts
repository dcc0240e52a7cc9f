// The contents of the start page besides the open folders: numbers, pictures of this day, new pictures, and albums.
import type { AlbumInfo } from "../../api/albums";
import type { Backend, PictureOverview } from "../../api/backend";
import type { RecentFolders } from "../roots/recent-folders.svelte";

/** The time after which an incomplete overview, or one of changed folders, is read again, in milliseconds. */
const PAUSE = 3_000;

/** Returns today as the overview names it: `2026-11-30`, in local time. */
export function dayOf(now: Date): string {
  const digits = (number: number, length: number) => `${number}`.padStart(length, "0");
  return [digits(now.getFullYear(), 4), digits(now.getMonth() + 1, 2), digits(now.getDate(), 2)].join("-");
}

export class StartOverview {
  /** Null until it is known, and if it can't be read. */
  overview = $state.raw<PictureOverview | null>(null);
  albums = $state.raw<readonly AlbumInfo[]>([]);
  /** True once everything was read, or has failed, so that nothing of it moves what is shown. */
  isReady = $state(false);
  #ending = new AbortController();
  #pausing: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;

  constructor(
    private readonly backend: Pick<Backend, "folders" | "albums" | "events">,
    private readonly recent: Pick<RecentFolders, "read"> | undefined,
  ) {}

  /** Reads everything, and follows its changes. Returns a function that stops it. */
  follow(): () => void {
    const { events } = this.backend;
    this.#ending = new AbortController();
    const soon = () => this.#readSoon();
    const albums = () => void this.#readAlbums();
    void Promise.all([this.#readOverview(), this.#readAlbums(), this.recent?.read()]).then(() => (this.isReady = true));
    const stops = [events.on("folder.changed", soon), events.on("albums.changed", albums), events.on("resync", soon), events.on("resync", albums)];
    return () => {
      for (const stop of stops) stop();
      this.#ending.abort();
      clearTimeout(this.#pausing);
      this.#pausing = undefined;
    };
  }

  /** Many changes are one request. */
  #readSoon(): void {
    if (this.#isReading) return;
    this.#pausing ??= setTimeout(() => {
      this.#pausing = undefined;
      void this.#readOverview();
    }, PAUSE);
  }

  async #readOverview(): Promise<void> {
    const { signal } = this.#ending;
    this.#isReading = true;
    try {
      const overview = await this.backend.folders.overview(dayOf(new Date()), signal);
      if (signal.aborted) return;
      this.overview = overview;
    } catch {
      // The folders are shown without numbers.
    } finally {
      this.#isReading = false;
    }
    const reason = this.overview?.partial?.reason;
    if (!signal.aborted && (reason === "reading_pictures" || reason === "folders_missing")) this.#readSoon();
  }

  async #readAlbums(): Promise<void> {
    try {
      const albums = await this.backend.albums.list();
      if (!this.#ending.signal.aborted) this.albums = albums;
    } catch {
      // The side panel leads to the albums, too, and shows the error there.
    }
  }
}
