import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath, ROOT_PATH } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { Listing } from "../listing/listing.svelte";
import { sessionMemory } from "../session/session-memory";
import { FolderSequence } from "./picture-sequence";
import Viewer from "./Viewer.svelte";

let host: StubHost;
let listing: Listing;

const entry = (name: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({
  name,
  kind,
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id: `id-${name}`,
  width: 400,
  height: 300,
});

beforeEach(() => {
  host = new StubHost();
  sessionMemory.slideSeconds = 5;
  sessionMemory.isFilmstripShown = false;
});
afterEach(() => vi.useRealTimers());

/** Opens the viewer with the picture at an index, and follows `ongo`. */
async function open(entries: FolderEntry[], first: number) {
  const backend = new FakeBackend();
  backend.entries = entries;
  listing = new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" });
  await listing.find(canonicalPath(entries[0]?.name ?? ""));
  const at = (index: number) => ({ index, entry: entries[index] ?? entry("none") });
  const ongo = vi.fn((to: number) => void view.rerender(at(to)));
  const view = render(Viewer, {
    ...at(first),
    pictures: new FolderSequence(listing),
    root: "R1",
    path: ROOT_PATH,
    folders: backend.folders,
    host,
    thumbnail: 192,
    neighbours: { before: null, after: null },
    hashState: null,
    position: null,
    info: createRawSnippet(() => ({ render: () => "<p></p>" })),
    infoShown: false,
    oninfo: vi.fn(),
    onstep: vi.fn(),
    addressOf: ({ entry: { name } }: { entry: { name: string } }) => `/pictures/R1/?view=${name}`,
    ongo,
    backLabel: "Back to the folder",
    onclose: vi.fn(),
  });
  return { ongo, ...view };
}

const folder = [entry("2026", "folder"), entry("a.jpg"), entry("notes.txt", "other"), entry("b.jpg"), entry("c.jpg")];
const viewer = () => screen.getByTestId("viewer");
const isRunning = () => screen.getByTestId("slideshow").getAttribute("aria-pressed") === "true";
const arrive = async () => {
  await fireEvent.load(screen.getByTestId("viewer-image"));
  await vi.advanceTimersByTimeAsync(0);
};
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

describe("a slideshow", () => {
  it("runs in full screen and wraps around", async () => {
    const { ongo } = await open(folder, 3);
    vi.useFakeTimers();
    await host.press("s");
    await arrive();
    expect(viewer().classList.contains("full")).toBe(true);
    await seconds(4.9);
    expect(ongo).not.toHaveBeenCalled();
    await seconds(0.2);
    expect(ongo.mock.calls).toEqual([[4]]);
    // The time counts from when the picture is visible.
    await seconds(60);
    expect(ongo).toHaveBeenCalledOnce();
    await arrive();
    await seconds(5.1);
    expect(ongo.mock.calls).toEqual([[4], [1]]);
  });

  it("waits until the next one can be drawn", async () => {
    const { ongo } = await open(folder, 3);
    vi.useFakeTimers();
    await host.press("s");
    let come = () => {};
    await arrive();
    // The next picture is being decoded since then.
    await seconds(0);
    await host.press("s");
    vi.spyOn(HTMLImageElement.prototype, "decode").mockImplementation(() => new Promise((resolve) => (come = resolve)));
    await host.press("s");
    await seconds(20);
    expect(ongo).not.toHaveBeenCalled();
    come();
    await seconds(0);
    expect(ongo.mock.calls).toEqual([[4]]);
  });

  it("skips a picture that cannot be shown", async () => {
    const { ongo } = await open(folder, 1);
    vi.useFakeTimers();
    await host.press("s");
    vi.spyOn(HTMLImageElement.prototype, "decode").mockRejectedValue(new Error("EncodingError"));
    await fireEvent.error(screen.getByTestId("viewer-image"));
    await seconds(4.9);
    expect(screen.getByTestId("viewer-failed")).toBeDefined();
    await seconds(0.2);
    expect(ongo.mock.calls).toEqual([[3]]);
  });

  describe("with videos", () => {
    const film = [{ ...entry("a.mp4"), video: true }, entry("b.jpg")];
    const video = () => screen.getByTestId<HTMLVideoElement>("video");
    const begin = async (play: () => Promise<void>) => {
      const { ongo } = await open(film, 0);
      vi.useFakeTimers();
      const played = vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(play);
      await host.press("s");
      await fireEvent(video(), new Event("loadedmetadata"));
      await seconds(0);
      return { ongo, played };
    };

    it("goes on at their end", async () => {
      const { ongo, played } = await begin(() => Promise.resolve());
      expect(played).toHaveBeenCalledOnce();
      await seconds(20);
      expect(ongo).not.toHaveBeenCalled();
      await fireEvent(video(), new Event("ended"));
      await seconds(0.1);
      expect(ongo.mock.calls).toEqual([[1]]);
    });

    it("leaves a long one after a while", async () => {
      const { ongo } = await begin(() => Promise.resolve());
      await seconds(29.9);
      expect(ongo).not.toHaveBeenCalled();
      await seconds(0.2);
      expect(ongo.mock.calls).toEqual([[1]]);
    });

    it("mutes what plays only without sound", async () => {
      await begin(() => (video().muted ? Promise.resolve() : Promise.reject(new Error("NotAllowedError"))));
      expect(video().muted).toBe(true);
      await fireEvent(video(), new Event("volumechange"));
      expect(sessionMemory.sound.muted).toBe(false);
    });

    it("treats an unplayable one as a picture", async () => {
      const { ongo } = await begin(() => Promise.reject(new Error("NotSupportedError")));
      await seconds(4.9);
      expect(ongo).not.toHaveBeenCalled();
      await seconds(0.2);
      expect(ongo.mock.calls).toEqual([[1]]);
    });
  });

  it("remembers its pace between limits", async () => {
    const { ongo } = await open(folder, 3);
    vi.useFakeTimers();
    await host.press("s");
    await arrive();
    await host.press("<");
    await seconds(0);
    expect(screen.getByTestId("slides-stay").textContent).toBe("4 s");
    await seconds(4.1);
    expect(ongo).toHaveBeenCalledOnce();
    for (let press = 0; press < 9; press += 1) await host.press("<");
    expect(sessionMemory.slideSeconds).toBe(2);
    for (let press = 0; press < 12; press += 1) await fireEvent.click(screen.getByTestId("slides-longer"));
    expect(sessionMemory.slideSeconds).toBe(30);
    expect(isRunning()).toBe(true);
  });

  it("stops on input and stays in full screen", async () => {
    await open(folder, 1);
    for (const act of [
      () => fireEvent.keyDown(window, { key: "j" }),
      () => fireEvent.wheel(screen.getByTestId("viewer-stage"), { deltaY: 1 }),
      () => fireEvent(screen.getByTestId("viewer-stage"), new MouseEvent("pointerdown", { bubbles: true })),
    ]) {
      await host.press("s");
      await waitFor(() => expect(isRunning()).toBe(true));
      await fireEvent.keyDown(window, { key: "Shift" });
      await fireEvent(screen.getByTestId("slides-longer"), new MouseEvent("pointerdown", { bubbles: true }));
      expect(isRunning()).toBe(true);
      await act();
      await waitFor(() => expect(isRunning()).toBe(false));
    }
    expect(viewer().classList.contains("full")).toBe(true);
  });

  it("ends with the full view", async () => {
    await open(folder, 1);
    await host.press("s");
    await waitFor(() => expect(isRunning()).toBe(true));
    await host.press("f");
    await waitFor(() => expect(isRunning()).toBe(false));
  });

  it("toggles by Space outside of buttons", async () => {
    await open(folder, 1);
    await fireEvent.keyDown(screen.getByTestId("zoom-in"), { key: " " });
    expect(isRunning()).toBe(false);
    await fireEvent.keyDown(viewer(), { key: " " });
    expect(isRunning()).toBe(true);
    await fireEvent.keyDown(viewer(), { key: " " });
    expect(isRunning()).toBe(false);
  });

  it("fades unless motion is reduced", async () => {
    const { rerender } = await open(folder, 3);
    const leaving = () => screen.queryByTestId("viewer-leaving")?.getAttribute("src");
    await fireEvent.load(screen.getByTestId("viewer-image"));
    await host.press("s");
    await waitFor(() => expect(isRunning()).toBe(true));
    await rerender({ entry: folder[4], index: 4 });
    await waitFor(() => expect(leaving()).toBe("/api/image?root=R1&path=b.jpg&v=id-b.jpg"));
    await fireEvent.animationEnd(screen.getByTestId("viewer-leaving"));
    expect(leaving()).toBeUndefined();
    await fireEvent.load(screen.getByTestId("viewer-image"));
    const { matchMedia } = window;
    vi.spyOn(window, "matchMedia").mockImplementation((media) => Object.assign(matchMedia(media), { matches: true }));
    await host.press("s");
    await waitFor(() => expect(isRunning()).toBe(false));
    await host.press("s");
    await waitFor(() => expect(isRunning()).toBe(true));
    await rerender({ entry: folder[3], index: 3 });
    await waitFor(() => expect(screen.getByTestId("viewer-image").getAttribute("src")).toContain("b.jpg"));
    expect(leaving()).toBeUndefined();
  });
});

describe("the filmstrip", () => {
  const names = () => screen.queryAllByTestId("filmstrip-picture").map((link) => link.getAttribute("aria-label"));
  const current = () => screen.getByTestId("filmstrip").querySelector("[aria-current]")?.getAttribute("aria-label");

  it("links to the pictures before and after", async () => {
    const { ongo } = await open(folder, 3);
    expect(screen.queryByTestId("filmstrip")).toBeNull();
    await host.press("m");
    await waitFor(() => expect(names()).toEqual(["a.jpg", "b.jpg", "c.jpg"]));
    expect(current()).toBe("b.jpg");
    expect(sessionMemory.isFilmstripShown).toBe(true);
    const [first] = screen.getAllByTestId("filmstrip-picture");
    expect(first?.getAttribute("href")).toBe("/pictures/R1/?view=a.jpg");
    await fireEvent.click(first ?? document);
    expect(ongo.mock.calls).toEqual([[1]]);
    await waitFor(() => expect(current()).toBe("a.jpg"));
    await host.press("m");
    await waitFor(() => expect(screen.queryByTestId("filmstrip")).toBeNull());
  });

  it("renders only the pictures that fit", async () => {
    const many = Array.from({ length: 3_000 }, (_, number) => entry(`${number}.jpg`));
    sessionMemory.isFilmstripShown = true;
    await open(many, 1_500);
    await waitFor(() => expect(names()).toHaveLength(17));
    expect(names()[8]).toBe("1500.jpg");
    await fireEvent.wheel(screen.getByTestId("filmstrip"), { deltaY: 240 });
    await waitFor(() => expect(names()[8]).toBe("1504.jpg"));
    expect(current()).toBe("1500.jpg");
    await fireEvent.wheel(screen.getByTestId("filmstrip"), { deltaX: -300 });
    await waitFor(() => expect(names()[8]).toBe("1499.jpg"));
  });
});
