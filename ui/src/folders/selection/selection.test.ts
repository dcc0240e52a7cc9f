import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend, FolderEntry, FolderListing, FolderQuery } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { encodeName, ROOT_PATH } from "../../api/names";
import type { ListingQuery } from "../query/listing-query";
import { Listing } from "../listing/listing.svelte";
import { FolderChangedError } from "../listing/folder-changed-error";
import { NOTHING, Selection } from "./selection.svelte";

const inThree = (index: number) => index % 3;
const entry = (name: string, size = 10): FolderEntry => ({
  name,
  kind: name.includes(".") ? "picture" : "folder",
  size,
  mtime: "2026-11-20T00:00:00Z",
});
const numbered = (count: number) => Array.from({ length: count }, (_, at) => entry(`${at}.jpg`));

let entries: FolderEntry[];
let reading: string;
const answer = ({ offset: asked = 0, limit = 50, around, order }: FolderQuery): Promise<FolderListing> => {
  const ordered = order === "desc" ? entries.toReversed() : entries;
  const place = around ? ordered.findIndex((one) => encodeName(one) === around) : -1;
  const offset = place >= 0 ? Math.floor(place / limit) * limit : asked;
  const facts = { root: "R1", path: "", listing: reading, total: ordered.length, pictures: ordered.length, unread: 0, offset };
  return Promise.resolve({ ...facts, entries: ordered.slice(offset, offset + limit) });
};
const list = vi.fn(answer);
const backend = { folders: { list } } as unknown as Backend;

let selection: Selection;
let listing: Listing;
const failed = vi.fn();

async function show(query: Partial<ListingQuery> = {}, root = "R1") {
  listing = new Listing(backend, root, ROOT_PATH, { sort: "name", order: "asc", ...query });
  await vi.waitFor(() => expect(listing.state).toBe("ready"));
  selection.shows(listing);
}

const names = async () => (await selection.entries()).map(({ name }) => name);
const idle = () => vi.waitFor(() => expect(selection.isWorking).toBe(false));

async function change(to: FolderEntry[]) {
  entries = to;
  reading += "+";
  await listing.follow();
  selection.shows(listing);
}

beforeEach(async () => {
  list.mockReset().mockImplementation(answer);
  failed.mockReset();
  entries = ["2026", "a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"].map((name) => entry(name));
  reading = "1";
  selection = new Selection(failed);
  await show();
});

it("keeps renamed entries and the anchor", async () => {
  selection.only(1);
  selection.toggle(3);
  const names = new Map([["c.jpg", "z.jpg"]].map(([from = "", to = ""]) => [encodeName({ name: from }), encodeName({ name: to })]));
  listing.renamed(names);
  selection.renamed(names);
  expect((await selection.entries()).map(({ name }) => name)).toEqual(["a.jpg", "z.jpg"]);
  expect(listing.at(3)?.name).toBe("z.jpg");
  await change(["2026", "a.jpg", "b.jpg", "d.jpg", "e.jpg", "z.jpg"].map((name) => entry(name)));
  expect((await selection.entries()).map(({ name }) => name)).toEqual(["a.jpg", "z.jpg"]);
  selection.extend(4, 0);
  await idle();
  expect((await selection.entries()).map(({ name }) => name)).toEqual(["e.jpg", "z.jpg"]);
});

describe("a partial listing", () => {
  beforeEach(async () => {
    list.mockImplementation(async (query) => ({ ...(await answer(query)), ...(reading === "1" ? { growing: true } : {}) }));
    await show({ sort: "size" });
  });
  const grow = () => {
    entries = [...entries, entry("f.jpg")];
    reading = "2";
    listing.completeNames("1");
  };

  it("selects all entries once complete", async () => {
    selection.all();
    expect([selection.isWorking, selection.count]).toEqual([true, 0]);
    const expected = names();
    grow();
    expect(await expected).toHaveLength(7);
  });

  it("inverts once complete", async () => {
    selection.only(1);
    expect(await names()).toEqual(["a.jpg"]);
    selection.invert();
    selection.toggle(0);
    expect(selection.isWorking).toBe(true);
    grow();
    expect(await names()).toEqual(["b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"]);
  });

  it("reports a failed read and selects nothing", async () => {
    selection.all();
    const error = new ApiError("folder_unavailable", 404, "");
    list.mockRejectedValue(error);
    listing.completeNames("1");
    await idle();
    expect(failed).toHaveBeenCalledExactlyOnceWith(error);
    expect(selection.count).toBe(0);
  });

  it("applies changes in any order of arrival", async () => {
    selection.all();
    const former = listing;
    await show({ sort: "size", order: "desc" });
    former.dispose();
    grow();
    await idle();
    expect(selection.count).toBe(7);
  });
});

describe("the targets", () => {
  it.each<[string, () => void, string[]]>([
    ["is one", () => selection.only(1), ["a.jpg"]],
    ["is another one instead", () => (selection.only(1), selection.only(3)), ["c.jpg"]],
    ["is one more", () => (selection.only(1), selection.toggle(3)), ["a.jpg", "c.jpg"]],
    ["is one less", () => (selection.only(1), selection.toggle(3), selection.toggle(1)), ["c.jpg"]],
    ["reaches from the anchor", () => (selection.only(2), selection.extend(4, 2)), ["b.jpg", "c.jpg", "d.jpg"]],
    ["reaches backwards", () => (selection.only(2), selection.extend(1, 2)), ["a.jpg", "b.jpg"]],
    ["keeps its anchor", () => (selection.only(2), selection.extend(4, 2), selection.extend(1, 4)), ["a.jpg", "b.jpg"]],
    ["reaches from the focus where there is no anchor", () => selection.extend(2, 1), ["a.jpg", "b.jpg"]],
    ["reaches from what was toggled", () => (selection.only(0), selection.toggle(3), selection.extend(4, 3)), ["c.jpg", "d.jpg"]],
    ["is a range more", () => (selection.only(0), selection.toggle(3), selection.extend(4, 3, true)), ["2026", "c.jpg", "d.jpg"]],
    ["is all", () => selection.all(), ["2026", "a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"]],
    ["is all but what was", () => (selection.only(1), selection.extend(4, 1), selection.invert()), ["2026", "e.jpg"]],
    ["is a block of cells", () => selection.block(1, 5, { columnOf: inThree, firstColumn: 1, endColumn: 3 }, NOTHING), ["a.jpg", "b.jpg", "d.jpg", "e.jpg"]],
    ["is a block more", () => (selection.only(0), selection.block(4, 4, { columnOf: inThree, firstColumn: 1, endColumn: 2 }, selection.now)), ["2026", "d.jpg"]],
  ])("%s", async (_, act, expected) => {
    act();
    // All entries were read, so nothing has to wait.
    expect(selection.isWorking).toBe(false);
    expect(selection.count).toBe(expected.length);
    expect((await names()).toSorted()).toEqual(expected.toSorted());
    expect(failed).not.toHaveBeenCalled();
  });

  it("are the focused entry without a selection", async () => {
    selection.all();
    selection.none();
    expect(selection.count).toBe(0);
    expect(await names()).toEqual([]);
    selection.focused = entry("c.jpg");
    expect(await names()).toEqual(["c.jpg"]);
  });

  it("counts the bytes of all but folders", () => {
    selection.only(0);
    expect(selection.bytes).toBeUndefined();
    selection.all();
    expect(selection.bytes).toBe(50);
  });

  it("are distinguished by the bytes of names", async () => {
    entries = [
      { ...entry("a\ufffd.jpg"), name_bytes: btoa("a\xff.jpg") },
      { ...entry("a\ufffd.jpg"), name_bytes: btoa("a\xfe.jpg") },
    ];
    await show();
    selection.only(0);
    expect(entries.map((one) => selection.has(one))).toEqual([true, false]);
  });
});

describe("another listing", () => {
  it("keeps selection and anchor in another order", async () => {
    selection.only(1);
    selection.toggle(2);
    await show({ order: "desc" });
    expect(await names()).toEqual(["a.jpg", "b.jpg"]);
    selection.extend(2, 3);
    expect((await names()).toSorted()).toEqual(["b.jpg", "c.jpg"]);
  });

  it.each<[string, Partial<ListingQuery>, string]>([
    ["folder", {}, "R2"],
    ["filter", { filter: "a" }, "R1"],
  ])("is emptied with another %s", async (_, query, root) => {
    selection.all();
    await show(query, root);
    expect(selection.count).toBe(0);
  });

  it("drops removed entries and updates the others", async () => {
    selection.only(1);
    selection.extend(3, 1);
    await change([entry("0"), entry("a.jpg", 70), entry("c.jpg"), entry("z.jpg")]);
    expect(await names()).toEqual(["a.jpg", "c.jpg"]);
    expect(selection.bytes).toBe(80);
  });

  it("extends from the focus without its anchor", async () => {
    selection.only(2);
    await change(entries.toSpliced(2, 1));
    selection.extend(4, 3);
    expect(await names()).toEqual(["e.jpg"]);
  });
});

describe("a partly read folder", () => {
  beforeEach(async () => {
    entries = numbered(10_500);
    await show();
  });

  it("works until all chunks are read", async () => {
    let most = 0;
    let under = 0;
    list.mockImplementation(async (query) => {
      most = Math.max(most, (under += 1));
      await new Promise((resolve) => setTimeout(resolve));
      under -= 1;
      return answer(query);
    });
    selection.all();
    expect([selection.isWorking, selection.count]).toEqual([true, 0]);
    await idle();
    expect(selection.count).toBe(10_500);
    expect(most).toBe(4);
    // Entries that were read are not read again.
    const requests = list.mock.calls.length;
    selection.invert();
    selection.all();
    expect([selection.isWorking, list.mock.calls.length]).toEqual([false, requests]);
  });

  it("applies the next change after the first", async () => {
    selection.all();
    selection.toggle(3);
    await idle();
    expect(selection.count).toBe(10_499);
  });

  it("replaces a pending change by another", async () => {
    selection.all();
    selection.only(3);
    expect(selection.isWorking).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await names()).toEqual(["3.jpg"]);
    expect(list.mock.calls.length).toBeLessThan(7);
  });

  it("reads only the chunks of a range", async () => {
    selection.only(998);
    selection.extend(2_001, 998);
    await idle();
    expect(selection.count).toBe(1_004);
    expect(list.mock.calls.slice(2).map(([{ offset }]) => offset)).toEqual([1_000, 2_000]);
  });

  it("selects a cell that is not loaded yet", async () => {
    selection.only(9_999);
    expect(await names()).toEqual(["9999.jpg"]);
  });

  it("restarts when the folder changes meanwhile", async () => {
    list.mockImplementation((query) => {
      if (query.offset === 5_000 && reading === "1") {
        reading = "2";
        entries = entries.toSpliced(0, 1);
      }
      return answer(query);
    });
    listing.request(8_000, 8_001);
    await vi.waitFor(() => expect(listing.at(8_000)).toBeDefined());
    selection.only(2);
    selection.extend(8_000, 2);
    await idle();
    expect(selection.count).toBe(7_999);
    expect((await names()).slice(0, 2)).toEqual(["2.jpg", "3.jpg"]);
    expect(failed).not.toHaveBeenCalled();
  });

  it("reports an unreadable folder and stays", async () => {
    selection.only(3);
    const error = new ApiError("unreachable", 0, "");
    list.mockRejectedValue(error);
    selection.all();
    await idle();
    expect(failed).toHaveBeenCalledExactlyOnceWith(error);
    expect(await names()).toEqual(["3.jpg"]);
  });

  it("gives up if the folder never settles", async () => {
    list.mockImplementation((query) => {
      if (query.listing) reading += "+";
      return answer(query);
    });
    selection.all();
    await vi.waitFor(() => expect(failed).toHaveBeenCalled());
    expect(failed.mock.lastCall?.[0]).toBeInstanceOf(FolderChangedError);
  });

  it("checks few hidden entries after a change", async () => {
    selection.only(5_000);
    selection.toggle(7_000);
    await idle();
    selection.toggle(4);
    list.mockClear();
    await change(entries.toSpliced(5_000, 1));
    await vi.waitFor(async () => expect(await names()).toEqual(["7000.jpg", "4.jpg"]));
    expect(list.mock.calls.filter(([{ limit }]) => limit === 1)).toHaveLength(2);
  });

  it("reads the folder to check many", async () => {
    selection.all();
    await idle();
    await change(entries.toSpliced(5_000, 100));
    await vi.waitFor(() => expect(selection.count).toBe(10_400));
    expect(list.mock.calls.every(([{ limit }]) => limit === 1_000)).toBe(true);
  });
});

describe("late marks", () => {
  let unread: number;
  const marked = (rating: number) => entries.map((one) => (one.name.includes(".") ? { ...one, rating } : one));
  const learn = async () => {
    unread = 0;
    entries = marked(4);
    listing.request(0, 10);
    listing.isStale = true;
    await listing.refreshMetadata();
    selection.shows(listing);
  };

  beforeEach(() => {
    unread = 3;
    list.mockImplementation(async (query) => ({ ...(await answer(query)), unread }));
  });

  it("reach the selected entries", async () => {
    await show();
    selection.only(1);
    await learn();
    expect((await selection.entries()).map(({ rating }) => rating)).toEqual([4]);
  });

  it("reach hidden entries before later selections", async () => {
    entries = numbered(3_500);
    await show();
    selection.only(3_200);
    await idle();
    selection.toggle(2);
    await learn();
    expect((await selection.entries()).map(({ rating }) => rating)).toEqual([4, 4]);
    selection.only(3_201);
    expect((await selection.entries()).map(({ rating }) => rating)).toEqual([4]);
  });
});
