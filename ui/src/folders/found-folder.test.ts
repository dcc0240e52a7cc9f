// The pictures that a search finds, shown as a folder.
import { screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry, FolderListing } from "../api/backend";
import type { HashState } from "../api/hashes";
import type { FakeBackend } from "../testing/fake-backend";
import { FolderVisit } from "../testing/folder-visit";
import { openPictures, placeOf } from "../testing/pictures-view";
import type { StubHost } from "../testing/stub-host";

const picture = (name: string, folder: string): FolderEntry => ({ name, folder, kind: "picture", size: 1_000, mtime: "2026-01-01T00:00:00Z", id: `id-${folder}-${name}` });

const FOUND = [picture("a.jpg", "R1"), picture("a.jpg", "R2/trips"), picture("b.jpg", "R2/旅")];

let visit: FolderVisit;
let backend: FakeBackend;
let host: StubHost;
/** The queries that were searched. */
let searched: string[];
let answer: Partial<FolderListing>;

beforeEach(() => {
  visit = new FolderVisit([]);
  ({ backend, host } = visit);
  backend.rootsNow = ["R1", "R2"].map((id) => ({ id, name: `Photos ${id}`, path: `/photos/${id}`, available: true }));
  backend.entries = FOUND;
  [searched, answer] = [[], {}];
  backend.on("GET /api/search/pictures", ({ query }) => {
    searched.push(query.q ?? "");
    const groups = query.group === "folder" ? { groups: FOUND.map(({ folder }, first) => ({ key: folder, label: folder?.replace("R", "Photos R"), first, count: 1 })) } : {};
    return { root: "search", path: "", listing: "L1", unread: 0, offset: 0, total: FOUND.length, pictures: FOUND.length, entries: FOUND, ...groups, ...answer };
  });
});

async function open(at = "/pictures/search/?q=b") {
  await visit.open(at);
  await screen.findAllByTestId("cell");
}

it("shows pictures of all folders, with the query", async () => {
  await open();
  await waitFor(() => expect(host.title).toBe("Pictures: b"));
  expect(screen.getAllByTestId("cell").map((cell) => cell.dataset["name"])).toEqual(["a.jpg", "a.jpg", "b.jpg"]);
  expect(screen.getByTestId<HTMLInputElement>("folder-filter").value).toBe("b");
  expect(host.statusItems.map(({ text }) => text)).toEqual(["3 pictures"]);
  await userEvent.type(screen.getByTestId("folder-filter"), "c");
  await waitFor(() => expect(searched.at(-1)).toBe("bc"));
  expect(visit.address).toBe("/pictures/search/?q=bc");
});

it("a smart album's box is gone through", async () => {
  const box = "gallery=%2Fwiki%2Fgarden&sort=taken&order=desc&limit=2";
  await visit.open(`/pictures/search/?view=R2/trips/a.jpg&${box}&q=b&saved=S1`);
  await waitFor(() => expect(host.statusItems.some(({ text }) => text === "Picture 2 of 2")).toBe(true));
  expect(backend.sent("GET /api/search/pictures").at(-1)?.query).toMatchObject({ q: "b", sort: "taken", order: "desc" });
  const navigate = vi.spyOn(host, "navigate").mockResolvedValue(true);
  await host.press("Escape");
  expect(navigate).toHaveBeenLastCalledWith("/wiki/garden", { replace: true });
});

it("rates, moves and adds pictures where they are", async () => {
  await open();
  await waitFor(() => expect(host.title).toBe("Pictures: b"));
  await host.press("Mod+a");
  await waitFor(() => expect(host.statusItems[0]?.text).toContain("3 selected"));
  await host.press("4");
  const places = [
    { root: "R1", path: "a.jpg" },
    { root: "R2", path: "trips/a.jpg" },
    { root: "R2", path: "%E6%97%85/b.jpg" },
  ];
  await waitFor(() => expect(backend.files.mark).toHaveBeenCalledWith(places, { rating: 4 }));
  await host.act("files-bin");
  await waitFor(() => expect(backend.files.bin).toHaveBeenCalledWith(places));
  await host.act("album-add");
  expect(within(await screen.findByTestId("album-add-dialog")).getByRole("heading").textContent).toContain("3 pictures");
});

it("opens a picture among results, and its folder", async () => {
  await open();
  await waitFor(() => expect(document.activeElement?.getAttribute("data-name")).toBe("a.jpg"));
  await userEvent.keyboard("{ArrowRight}{Enter}");
  await waitFor(() => expect(visit.address).toBe("/pictures/search/?view=R2/trips/a.jpg&q=b"));
  await waitFor(() => expect(host.title).toBe("a.jpg"));
  await host.press("j");
  await waitFor(() => expect(visit.address).toBe("/pictures/search/?view=R2/%E6%97%85/b.jpg&q=b"));
  await host.press("Escape");
  await waitFor(() => expect(visit.address).toBe("/pictures/search/?q=b"));
  await host.press("Shift+o");
  expect(visit.address).toBe("/pictures/R2/%E6%97%85");
});

it("names folders in groups by their roots", async () => {
  await open("/pictures/search/?q=b&group=folder");
  const headings = await screen.findAllByTestId("group-heading");
  expect(headings.map((heading) => within(heading).getByRole("link").textContent.trim())).toEqual(["Photos R1", "Photos R2 › trips", "Photos R2 › 旅"]);
  expect(headings.map((heading) => within(heading).getByRole("link").getAttribute("href"))).toEqual(["/pictures/R1/", "/pictures/R2/trips", "/pictures/R2/%E6%97%85"]);
});

it("is searched again after changes in any folder", async () => {
  const watched: unknown[] = [];
  backend.on("PUT /api/folders/watch", ({ query }) => {
    watched.push([query.root, query.beneath]);
    return { watching: "events" as const, renewed: true, seconds: 120 };
  });
  await open();
  await waitFor(() => expect(host.title).toBe("Pictures: b"));
  expect(watched).toEqual([
    ["R1", "true"],
    ["R2", "true"],
  ]);
  const before = searched.length;
  backend.emit("folder.changed", { root: "R2", path: "" });
  await waitFor(() => expect(searched.length).toBeGreaterThan(before));
});

it("counts the files of joined pictures once", async () => {
  const [first, ...others] = FOUND;
  const raw = { part: "raw" as const, name: "a.cr3", kind: "picture" as const, size: 20_000, mtime: "2026-01-01T00:00:00Z", id: "id-raw" };
  answer = { entries: [{ ...(first as FolderEntry), companions: [raw] }, ...others], bytes: 23_000 };
  openPictures({ place: placeOf("/pictures/search/?q=b"), backend, host, isJoined: true });
  await screen.findAllByTestId("cell");
  expect(backend.sent("GET /api/search/pictures").at(-1)?.query).toMatchObject({ joined: "true" });
  expect(screen.getAllByTestId("parts-badge").map((badge) => badge.textContent.trim())).toEqual(["RAW"]);
  await waitFor(() => expect(host.statusItems.map(({ text }) => text)).toEqual(["3 pictures", "22.5\u00a0KiB"]));
});

it("says why pictures may be missing", async () => {
  answer = { entries: [], total: 0, partial: { reason: "folders_missing", indexed: 1, of: 2 } };
  await visit.open("/pictures/search/?q=b");
  expect(within(await screen.findByTestId("results-none")).getByRole("status").textContent).not.toBe("");
});

it("marks files by the records of their folders", async () => {
  const states: Record<string, HashState> = { "a.jpg": "corrupt" };
  backend.on("GET /api/hashes/badges", ({ query }) => (query.root === "R1" ? { states, new: 0, recorded: 1 } : { states: {}, new: 0, recorded: 0 }));
  await open();
  expect((await screen.findAllByTestId("hash-badge")).map((badge) => badge.textContent.trim())).toEqual(["Corrupt"]);
  const [first] = screen.getAllByTestId("cell");
  expect(within(first as HTMLElement).getByTestId("hash-badge")).toBeDefined();
  const read = () => backend.sent("GET /api/hashes/badges").map(({ query }) => [query.root, query.path]);
  await waitFor(() => expect(read()).toEqual([["R1", ""], ["R2", "trips"], ["R2", "旅"]]));
});

it("a job for each root describes pictures", async () => {
  backend.describer.configure("http://localhost:11434/v1");
  const ondescribe = vi.fn(() => Promise.resolve());
  openPictures({ place: placeOf("/pictures/search/?q=b"), backend, host, ondescribe });
  await screen.findAllByTestId("cell");
  await host.press("Mod+a");
  await waitFor(() => expect(host.statusItems[0]?.text).toContain("3 selected"));
  await host.act("describe");
  await userEvent.click(await screen.findByTestId("describe-mode-describe"));
  await userEvent.click(screen.getByTestId("describe-run"));
  await waitFor(() => expect(ondescribe.mock.calls).toEqual([[{ root: "R1", paths: ["a.jpg"], mode: "describe", omitted: 0 }], [{ root: "R2", paths: ["trips/a.jpg", "%E6%97%85/b.jpg"], mode: "describe", omitted: 0 }]]));
});

it("is filtered by marks, types and dates", async () => {
  await open();
  await host.press("Shift+f");
  await userEvent.selectOptions(await screen.findByTestId("filter-rating"), "4");
  await waitFor(() => expect(searched.at(-1)).toBe("rating:>=4 b"));
  expect(visit.address).toBe("/pictures/search/?rating=4&q=b");
  await userEvent.selectOptions(screen.getByTestId("filter-has-caption"), "true");
  await waitFor(() => expect(searched.at(-1)).toBe("rating:>=4 has:caption b"));
  await userEvent.selectOptions(screen.getByTestId("filter-has-caption"), "");
  answer = { entries: [], total: 0, pictures: 0 };
  await userEvent.selectOptions(screen.getByTestId("filter-type"), "raw");
  expect((await screen.findByTestId("results-none")).textContent).toContain("filter");
  answer = {};
  await userEvent.click(screen.getByTestId("unfilter"));
  await waitFor(() => expect(searched.at(-1)).toBe("b"));
  expect(visit.address).toBe("/pictures/search/?q=b");
});

it("an album is a folder in its order", async () => {
  const trip = { id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 3, cover: null };
  backend.on("GET /api/albums", () => [trip]);
  backend.on("GET /api/albums/{id}", () => ({ album: trip, pictures: [] }));
  const removed: unknown[] = [];
  backend.on("POST /api/albums/{id}/remove", ({ path, body }) => {
    removed.push([path.id, body.places]);
    return trip;
  });
  await open("/pictures/search/?q=album%3AA1&saved=A1");
  await waitFor(() => expect(host.title).toBe("旅"));
  // The field names the album, and the address its id.
  const field = screen.getByTestId<HTMLInputElement>("folder-filter");
  expect(field.value).toBe('album:"旅"');
  await userEvent.type(field, " b");
  await waitFor(() => expect(searched.at(-1)).toBe("album:A1 b"));
  expect(visit.address).toBe("/pictures/search/?q=album%3AA1+b&saved=A1");
  await userEvent.type(field, "{Backspace}{Backspace}");
  await waitFor(() => expect(searched.at(-1)).toBe("album:A1"));
  const sort = () => backend.sent("GET /api/search/pictures").at(-1)?.query.sort;
  expect(sort()).toBe("album");
  expect(screen.getByTestId<HTMLSelectElement>("sort").value).toBe("album");
  await host.press("Mod+a");
  await waitFor(() => expect(host.statusItems[0]?.text).toContain("3 selected"));
  await host.act("album-take-out");
  await waitFor(() => expect(host.toasts).toEqual(["Removed 3 pictures from 旅"]));
  expect(removed).toEqual([["A1", [{ root: "R1", path: "a.jpg" }, { root: "R2", path: "trips/a.jpg" }, { root: "R2", path: "旅/b.jpg" }]]]);
  const before = searched.length;
  backend.emit("albums.changed", {});
  await waitFor(() => expect(searched.length).toBeGreaterThan(before));
  await userEvent.selectOptions(screen.getByTestId("sort"), "name");
  await waitFor(() => expect(sort()).toBe("name"));
});
