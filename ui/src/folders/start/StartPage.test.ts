// The start page of the pictures.
import { screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { dayOf } from "./start-overview.svelte";

let backend: FakeBackend;
let host: StubHost;

const picture = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, width: 200, height: 100, ...more });
const open = () => openPictures({ place: { root: null, path: canonicalPath(""), view: null }, backend, host });
const texts = (testId: string) => screen.getAllByTestId(testId).map((element) => element.textContent.replace(/\s+/g, " ").trim());
const hrefs = (testId: string) => screen.getAllByTestId(testId).map((element) => element.getAttribute("href"));

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [
    { id: "R1", name: "Photos", path: "/photos", available: true },
    { id: "R2", name: "Scans", path: "/scans", available: true },
    { id: "R3", name: "Card", path: "/media/card", available: false },
  ];
  host = new StubHost();
});

it("today is named in local time", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});

describe("the start page", () => {
  it("counts everything below each folder", async () => {
    backend.overviewNow = { ...backend.overviewNow, roots: [{ root: "R1", folders: 9, pictures: 420 }] };
    open();
    await waitFor(() => expect(texts("root-count")).toEqual(["9 folders · 420 pictures inside", "0 pictures", ""]));
  });

  it("shows the covers of available folders", async () => {
    backend.coversNow = [picture("a.jpg", { folder: "2024", turn: 6 })];
    open();
    const covers = await screen.findAllByTestId("cover");
    expect(covers.map((cover) => cover.getAttribute("src"))).toEqual(["R1", "R2"].map((root) => `/thumb?root=${root}&path=2024/a.jpg&size=128x128&mode=shrink&format=jpg&turn=6&v=id-a.jpg`));
  });

  it("leads from a year through its pictures", async () => {
    vi.setSystemTime(new Date(2026, 10, 30, 12));
    const pictures = [{ root: "R1", entry: picture("a.jpg", { folder: "2024/京都" }) }];
    backend.overviewNow = { ...backend.overviewNow, years: [{ year: 2024, count: 30, pictures }] };
    open();
    await screen.findByTestId("start-years");
    const query = "after%3A2024-11-30+before%3A2024-12-01";
    expect(hrefs("start-picture")).toEqual([`/pictures/R1/2024/%E4%BA%AC%E9%83%BD?view=a.jpg&found=${query}`]);
    expect(hrefs("start-year")[0]).toContain(query);
    expect(texts("start-years")[0]).toContain("2024 2 years ago 30 pictures");
    vi.useRealTimers();
  });

  it("shows new pictures and albums", async () => {
    backend.overviewNow = { ...backend.overviewNow, added: [{ root: "R2", entry: picture("new.jpg") }] };
    backend.on("GET /api/albums", () => [{ id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 3, cover: null }]);
    open();
    await screen.findByTestId("start-added");
    expect(hrefs("start-picture")).toEqual(["/pictures/R2/?view=new.jpg"]);
    expect(texts("album")).toEqual(["旅 3 pictures"]);
    expect(screen.queryByTestId("start-years")).toBeNull();
    expect(screen.queryByTestId("start-reading")).toBeNull();
  });

  it("is read again while pictures are read", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    backend.overviewNow = { ...backend.overviewNow, partial: { reason: "reading_pictures", indexed: 1, of: 2 } };
    open();
    await screen.findByTestId("start-reading");
    backend.overviewNow = { ...backend.overviewNow, partial: null };
    await vi.advanceTimersByTimeAsync(3_100);
    await waitFor(() => expect(screen.queryByTestId("start-reading")).toBeNull());
    expect(backend.folders.overview).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it("has menus of folders and pictures", async () => {
    backend.overviewNow = { ...backend.overviewNow, added: [{ root: "R2", entry: picture("new.jpg", { folder: "in" }) }] };
    open();
    const press = (element: HTMLElement) => element.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
    press((await screen.findAllByTestId("start-picture"))[0] as HTMLElement);
    await waitFor(() => expect(host.menu?.label).toBe("Actions for new.jpg"));
    press(screen.getAllByTestId("root")[0] as HTMLElement);
    await waitFor(() => expect(host.menu?.label).toBe("Actions for the folder Photos"));
  });
});
