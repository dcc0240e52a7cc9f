// A user who goes from address to address in the pictures view, on a first visit.
import { screen } from "@testing-library/svelte";
import type { FolderEntry, PictureGrouping } from "../api/backend";
import { canonicalPath } from "../api/names";
import type { FolderPlace } from "../folders/query/address";
import { sessionMemory } from "../folders/session/session-memory";
import { GROUPINGS } from "../folders/query/order";
import { FakeBackend } from "./fake-backend";
import { openPictures, placeOf } from "./pictures-view";
import { StubHost } from "./stub-host";

export class FolderVisit {
  readonly backend = new FakeBackend();
  readonly host = new StubHost();
  /** The current address. */
  address = "";
  /** The chosen groupings of the pictures, in order. */
  readonly chosen: PictureGrouping[] = [];

  /** The only open folder, of the id R1, contains the given entries. */
  constructor(
    entries: FolderEntry[],
    private readonly grouping: PictureGrouping = "none",
  ) {
    this.backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
    this.backend.entries = entries;
    sessionMemory.isFilterBarShown = false;
    for (const group of GROUPINGS) {
      sessionMemory.saveFocus({ root: "R1", path: canonicalPath(""), query: { sort: "name", order: "asc", ...(group === "none" ? {} : { group }) } }, 0);
    }
  }

  /** Opens the view; the folder's contents are still loading. */
  async open(at: string) {
    const room = openPictures({
      place: this.#goTo(at),
      backend: this.backend,
      host: this.host,
      grouping: this.grouping,
      ongrouping: (grouping: PictureGrouping) => {
        this.chosen.push(grouping);
        void room.rerender({ grouping });
      },
    });
    this.host.navigate = async (url) => {
      await room.rerender({ place: this.#goTo(url) });
      return true;
    };
    await screen.findByTestId("folder-filter");
    return room;
  }

  #goTo(url: string): FolderPlace {
    this.address = url;
    return placeOf(url);
  }
}
