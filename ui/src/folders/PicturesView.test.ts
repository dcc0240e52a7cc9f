import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../api/backend";
import { ApiError } from "../api/errors";
import type { NavigateOptions } from "../api/host";
import { canonicalPath } from "../api/names";
import { FakeBackend, fakeDesktop } from "../testing/fake-backend";
import { openPictures } from "../testing/pictures-view";
import { type FolderPlace, parsePicturesAddress } from "./query/address";
import type { SavedOrder } from "./query/listing-query";
import { StubHost } from "../testing/stub-host";
import { RecentFolders } from "./roots/recent-folders.svelte";
import { Roots } from "./roots/roots.svelte";

let backend: FakeBackend;
let host: StubHost;
const entry = (name: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({
  name,
  kind,
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id: `id-${name}`,
});
const at = (view: string | null = null, root: string | null = "R1"): FolderPlace => ({
  root,
  path: canonicalPath(""),
  view: view === null ? null : canonicalPath(view),
});

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("2026", "folder"), entry("a.jpg"), entry("notes.txt", "other"), entry("b.jpg")];
  host = new StubHost();
});

function open(place: FolderPlace, roots = new Roots(backend), recent = new RecentFolders(backend.users)) {
  const view = openPictures({ place, backend, host, roots, recent, onorder: (order: SavedOrder) => void view.rerender({ order }) });
  // Rerenders for a replaced address, as the frame does.
  host.navigate = async (url: string, options?: NavigateOptions) => {
    host.visited.push(url);
    if (options?.replace) await view.rerender({ place: parsePicturesAddress(new URL(url, "http://x")) ?? place });
    return true;
  };
  return view;
}

const cells = () => screen.findAllByTestId("cell");

describe("without a folder", () => {
  beforeEach(() => {
    backend.rootsNow = [];
  });

  it("the window opens the folder of its dialog", async () => {
    backend.desktop = fakeDesktop({ pickFolder: () => Promise.resolve({ grant: "G1", name: "Photos" }) });
    open(at(null, null));
    await userEvent.click(await screen.findByTestId("open-folder-first"));
    await waitFor(() => expect(host.visited).toEqual(["/pictures/R1/"]));
    expect(backend.roots.add).toHaveBeenCalledExactlyOnceWith({ grant: "G1" });
  });

  it("a cancelled dialog changes nothing", async () => {
    backend.desktop = fakeDesktop();
    open(at(null, null));
    await userEvent.click(await screen.findByTestId("open-folder-first"));
    expect(backend.roots.add).not.toHaveBeenCalled();
  });

  it("a browser explains how to allow a folder", async () => {
    open(at(null, null));
    expect((await screen.findByTestId("no-folders")).textContent).toContain("fumi serve --allow DIR");
    expect(screen.queryByTestId("open-folder-first")).toBeNull();
    await userEvent.type(screen.getByTestId("folder-path"), "/etc{Enter}");
    expect(await screen.findByText(/isn’t allowed to read this folder/)).toBeDefined();
  });
});

it("removing a folder focuses the next one", async () => {
  backend.rootsNow = ["R1", "R2", "R3"].map((id) => ({ id, name: id, path: `/${id}`, available: true }));
  open(at(null, null));
  const forget = () => screen.findAllByRole("button", { name: /Remove “R/ });
  for (const root of ["R3", "R1"]) {
    const button = (await forget())[1];
    button?.focus();
    button?.click();
    await waitFor(() => expect(document.activeElement?.textContent).toContain(root));
  }
});

it("Delete removes the focused folder", async () => {
  open(at(null, null));
  const [row] = await screen.findAllByTestId("root");
  await host.press("Delete");
  expect(host.questions).toEqual([]);
  row?.focus();
  await host.press("Delete");
  expect(host.questions).toHaveLength(1);
  expect(backend.roots.remove).toHaveBeenCalledExactlyOnceWith("R1");
});

describe("a folder", () => {
  it("shows each kind of entry", async () => {
    open(at());
    const kinds = (await cells()).map((cell) => cell.dataset["kind"]);
    expect(kinds).toEqual(["folder", "picture", "other", "picture"]);
    expect(screen.getAllByTestId("thumb").map((image) => image.getAttribute("src"))).toEqual(["/thumb?root=R1&path=a.jpg&size=192x192&mode=shrink&format=jpg&v=id-a.jpg", "/thumb?root=R1&path=b.jpg&size=192x192&mode=shrink&format=jpg&v=id-b.jpg"]);
  });

  it("requests larger thumbnails on a denser screen", async () => {
    const { matchMedia } = window;
    const queries: MediaQueryList[] = [];
    vi.spyOn(window, "matchMedia").mockImplementation((media) => {
      const query = matchMedia(media);
      if (media.includes("resolution")) queries.push(query);
      return query;
    });
    open(at());
    await cells();
    Object.defineProperty(window, "devicePixelRatio", { configurable: true, value: 2 });
    queries.at(-1)?.dispatchEvent(new Event("change"));
    const first = () => screen.getAllByTestId("thumb")[0]?.getAttribute("src");
    await waitFor(() => expect(first()).toBe("/thumb?root=R1&path=a.jpg&size=384x384&mode=shrink&format=jpg&v=id-a.jpg"));
    Object.defineProperty(window, "devicePixelRatio", { configurable: true, value: 1 });
  });

  it("opens entries by double click and Enter", async () => {
    open(at());
    for (const cell of await cells()) await userEvent.dblClick(cell);
    expect(host.visited).toEqual(["/pictures/R1/2026", "/pictures/R1/?view=a.jpg", "/pictures/R1/?view=b.jpg"]);
    await userEvent.keyboard("{Enter}{Control>}{Enter}{/Control}");
    expect(host.visited.slice(3)).toEqual(["/pictures/R1/?view=b.jpg"]);
    await userEvent.keyboard("{Home}");
  });

  it("arrow keys move through one tab stop", async () => {
    open(at());
    await cells();
    const name = () => (document.activeElement as HTMLElement).dataset["name"];
    await waitFor(() => expect(name()).toBe("2026"));
    await userEvent.keyboard("{ArrowRight}");
    expect(name()).toBe("a.jpg");
    await userEvent.keyboard("{End}");
    expect(name()).toBe("b.jpg");
    expect((await cells()).filter((cell) => cell.tabIndex === 0)).toHaveLength(1);
  });

  it("shows a message for an unreadable picture", async () => {
    backend.folders.probe.mockRejectedValueOnce(new ApiError("picture_undecodable", 422, ""));
    open(at());
    await cells();
    screen.getAllByTestId("thumb")[0]?.dispatchEvent(new Event("error"));
    expect((await screen.findByTestId("thumb-failed")).textContent).toContain("This picture can’t be displayed.");
  });

  it("does not request a known undecodable picture", async () => {
    backend.entries = [{ ...entry("a.jpg"), state: "undecodable" }];
    open(at());
    await cells();
    expect(screen.queryByTestId("thumb")).toBeNull();
    expect(screen.getByTestId("thumb-failed")).toBeDefined();
  });

  it("has a message if empty", async () => {
    backend.entries = [];
    open(at());
    expect(await screen.findByTestId("folder-empty")).toBeDefined();
  });

  it("recovers after it was unavailable", async () => {
    backend.folders.list.mockRejectedValueOnce(new ApiError("folder_unavailable", 404, ""));
    open(at());
    expect(await screen.findByTestId("folder-gone")).toBeDefined();
    await userEvent.click(screen.getByTestId("retry"));
    expect(await cells()).toHaveLength(4);
  });

  it("is found after another instance opened it", async () => {
    const roots = new Roots(backend);
    await roots.read();
    backend.rootsNow = [...backend.rootsNow, { id: "R2", name: "New", path: "/new", available: true }];
    open(at(null, "R2"), roots);
    expect(await cells()).toHaveLength(4);
  });

  it("has a message if it was never opened", async () => {
    open(at(null, "R9"));
    expect(await screen.findByTestId("root-unknown")).toBeDefined();
  });
});

it("is ordered by keys", async () => {
  open(at());
  await cells();
  const lastRequest = () => backend.folders.list.mock.lastCall?.[0];
  await host.press("s");
  await waitFor(() => expect(lastRequest()).toMatchObject({ sort: "taken", order: "asc" }));
  await host.press("Shift+s");
  await waitFor(() => expect(lastRequest()).toMatchObject({ sort: "taken", order: "desc" }));
  await vi.waitFor(() => expect(backend.folders.list.mock.settledResults.at(-1)?.type).toBe("fulfilled"));
  await host.press("s");
  await waitFor(() => expect(lastRequest()).toMatchObject({ sort: "modified", order: "desc", listing: "1" }));
  await host.press("Shift+s");
  await waitFor(() => expect(lastRequest()).toMatchObject({ sort: "modified", order: "asc" }));
});

it("states its size and the free space", async () => {
  backend.sizeNow = { files: 3, bytes: 3 * 2 ** 20, free: 2 * 2 ** 30 };
  const sizeText = () => host.statusItems.find(({ id }) => id === "size")?.text.replaceAll("\u00a0", " ");
  open(at());
  await waitFor(() => expect(sizeText()).toBe("3 MiB · 2 GiB free"));
  expect(backend.folders.size.mock.lastCall?.[1]).toMatchObject({ beneath: false });
});

it("sorts by date once all headers are read", async () => {
  backend.unread = 2;
  open(at());
  await cells();
  await host.press("s");
  const dates = () => host.statusItems.find(({ id }) => id === "dates")?.text;
  await waitFor(() => expect(dates()).toBe("Reading dates: 2 pictures left"));
  await waitFor(() => expect(backend.folders.list.mock.lastCall?.[0].sort).toBe("taken"));
  const requests = backend.folders.list.mock.calls.length;
  backend.unread = 1;
  backend.emit("folder.read", { root: "R1", path: "", unread: 1 });
  await waitFor(() => expect(dates()).toBe("Reading dates: 1 picture left"));
  expect(backend.folders.list).toHaveBeenCalledTimes(requests);
  backend.unread = 0;
  backend.emit("folder.read", { root: "R1", path: "", unread: 0 });
  await waitFor(() => expect(dates()).toBeUndefined());
  expect(backend.folders.list.mock.lastCall?.[0]).toMatchObject({ sort: "taken", listing: null });
});

it("shows information before the listing has arrived", async () => {
  backend.once("GET /api/folders", async (_, next) => {
    const late = await next();
    backend.entries = backend.entries.map((entry) => ({ ...entry, rating: 4 }));
    backend.emit("folder.read", { root: "R1", path: "", unread: 0 });
    return { ...late, unread: late.total };
  });
  open(at());
  await waitFor(() => expect(screen.getAllByTestId("rating").map((rating) => rating.dataset["rating"])).toContain("4"));
});

describe("its filter", () => {
  const field = () => screen.findByTestId<HTMLInputElement>("folder-filter");
  const names = async () => (await cells()).map((cell) => cell.dataset["name"]);

  it("keeps matching names and is reached by keyboard", async () => {
    open(at());
    await cells();
    await host.press("/");
    expect(document.activeElement).toBe(await field());
    await userEvent.type(await field(), "a.j");
    await waitFor(async () => expect(await names()).toEqual(["a.jpg"]));
    expect(host.statusItems[0]?.text).toBe("1 picture found");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["name"]).toBe("a.jpg"));
    await host.press("/");
    await userEvent.keyboard("{Escape}");
    await waitFor(async () => expect(await names()).toHaveLength(4));
    expect((await field()).value).toBe("");
  });

  it("restores the focus when cleared", async () => {
    open(at());
    const last = (await cells()).at(-1);
    last?.focus();
    await host.press("/");
    await userEvent.type(await field(), "a.j");
    await waitFor(async () => expect(await names()).toEqual(["a.jpg"]));
    await userEvent.keyboard("{Escape}");
    await waitFor(async () => expect(await names()).toHaveLength(4));
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["name"]).toBe("b.jpg"));
  });

  it("reports no match and can be cleared", async () => {
    open(at());
    await cells();
    await userEvent.type(await field(), "zebra");
    expect((await screen.findByTestId("folder-none")).textContent).toContain("zebra");
    await userEvent.click(screen.getByTestId("unfilter"));
    expect(await names()).toHaveLength(4);
  });

  it("ends with the folder", async () => {
    const { rerender } = open(at());
    await cells();
    await userEvent.type(await field(), "a");
    await waitFor(() => expect(backend.folders.list.mock.lastCall?.[0].filter).toBe("a"));
    await rerender({ place: { ...at(), path: canonicalPath("2026") } });
    await waitFor(() => expect(backend.folders.list.mock.lastCall?.[0]).toMatchObject({ path: "2026", filter: "" }));
    expect((await field()).value).toBe("");
  });

  it("waits for the end of a conversion", async () => {
    open(at());
    await cells();
    const box = await field();
    box.value = "a";
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }));
    expect(backend.folders.list.mock.lastCall?.[0].filter).toBe("");
  });
});

describe("one picture", () => {
  it("opens without another listing", async () => {
    const { rerender } = open(at());
    await cells();
    await rerender({ place: at("a.jpg") });
    expect((await screen.findByTestId("viewer-image")).getAttribute("src")).toBe("/api/image?root=R1&path=a.jpg&v=id-a.jpg");
    await rerender({ place: at("b.jpg") });
    await waitFor(() => expect(screen.getByTestId("viewer-image").getAttribute("src")).toBe("/api/image?root=R1&path=b.jpg&v=id-b.jpg"));
    await rerender({ place: at() });
    await waitFor(() => expect(screen.queryByTestId("viewer")).toBeNull());
    expect(backend.folders.list).toHaveBeenCalledOnce();
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["name"]).toBe("b.jpg"));
  });

  it("shows its number among all pictures", async () => {
    const { rerender } = open(at("b.jpg"));
    const positionText = () => host.statusItems.find(({ id }) => id === "position")?.text;
    await waitFor(() => expect(positionText()).toBe("Picture 2 of 2"));
    await rerender({ place: at("a.jpg") });
    await waitFor(() => expect(positionText()).toBe("Picture 1 of 2"));
  });

  it("keeps its keys on the next picture", async () => {
    backend.entries = ["a.jpg", "b.jpg"].map((name) => ({ ...entry(name), width: 4_000, height: 3_000 }));
    const { rerender } = open(at("a.jpg"));
    await waitFor(() => expect(screen.getByTestId("zoom").textContent).not.toBe(""));
    expect(host.named("ArrowRight")).toBe("Next picture");
    await host.press("Shift+l");
    await host.press("z");
    await waitFor(() => expect(host.named("ArrowRight")).toBe("Pan"));
    await rerender({ place: at("b.jpg") });
    await waitFor(() => expect(screen.getByTestId("viewer-image").getAttribute("src")).toBe("/api/image?root=R1&path=b.jpg&v=id-b.jpg"));
    expect(host.named("ArrowRight")).toBe("Pan");
    await host.press("Shift+l");
  });

  it("shows its information in full screen", async () => {
    open(at("a.jpg"));
    await screen.findByTestId("viewer-image");
    await waitFor(() => expect(host.panel).toBeNull());
    await host.press("i");
    await waitFor(() => expect(host.panel).not.toBeNull());
    await host.press("f");
    await waitFor(() => expect(host.panel).toBeNull());
    expect(await screen.findByTestId("picture-info")).toBeDefined();
    await host.press("Escape");
    await waitFor(() => expect(host.panel).not.toBeNull());
    await host.press("i");
  });

  it("skips entries that are not pictures", async () => {
    open(at("a.jpg"));
    const next = await screen.findByTestId("viewer-next");
    expect(screen.getByTestId<HTMLButtonElement>("viewer-previous").disabled).toBe(true);
    await userEvent.click(next);
    expect(host.visited).toEqual(["/pictures/R1/?view=b.jpg"]);
  });

  it("shows its information on request", async () => {
    const { rerender } = open(at("a.jpg"));
    await screen.findByTestId("viewer-image");
    expect(host.panel).toBeNull();
    await host.press("i");
    await waitFor(() => expect(host.panel?.label).toBe("Info"));
    expect(screen.getByTestId("viewer-info").getAttribute("aria-pressed")).toBe("true");
    await rerender({ place: at() });
    await waitFor(() => expect(host.panel).toBeNull());
    await rerender({ place: at("b.jpg") });
    await waitFor(() => expect(host.panel).not.toBeNull());
    host.panel?.close?.();
    await waitFor(() => expect(host.panel).toBeNull());
  });
});

it("keys resize thumbnails within the slider's limits", async () => {
  const view = open(at());
  await cells();
  const sizes: number[] = [];
  await view.rerender({ onthumbnailsize: (size: number) => void sizes.push(size) });
  expect([host.named("+"), host.named("-")]).toEqual(["Larger thumbnails", "Smaller thumbnails"]);
  await host.press("+");
  await host.press("-");
  await view.rerender({ thumbnailSize: 100 });
  await host.press("-");
  expect(sizes).toEqual([208, 112, 96]);
});
