import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ROOT_PATH } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { Listing } from "../listing/listing.svelte";
import { FolderSequence } from "./picture-sequence";
import Viewer from "./Viewer.svelte";

let host: StubHost;
let screenOwner: Element | null;

beforeEach(() => {
  host = new StubHost();
  screenOwner = null;
  const change = (owner: Element | null) => {
    screenOwner = owner;
    document.dispatchEvent(new Event("fullscreenchange"));
    return Promise.resolve();
  };
  Object.defineProperties(document, {
    fullscreenEnabled: { configurable: true, value: true },
    fullscreenElement: { configurable: true, get: () => screenOwner },
    exitFullscreen: { configurable: true, value: vi.fn(() => change(null)) },
  });
  document.documentElement.requestFullscreen = vi.fn(() => change(document.documentElement));
});
afterEach(() => vi.useRealTimers());

function open() {
  const backend = new FakeBackend();
  const props = {
    entry: { name: "a.jpg", kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", id: "a", width: 40, height: 30 },
    pictures: new FolderSequence(new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" })),
    index: 0,
    root: "R1",
    path: ROOT_PATH,
    folders: backend.folders,
    host,
    thumbnail: 192,
    neighbours: { before: null, after: null },
    hashState: null,
    position: "Picture 12 of 3,456",
    info: createRawSnippet(() => ({ render: () => "<p>all that is known</p>" })),
    infoShown: true,
    oninfo: vi.fn(),
    onstep: vi.fn(),
    addressOf: ({ entry: { name } }: { entry: { name: string } }) => `/pictures/R1?view=${name}`,
    ongo: vi.fn(),
    backLabel: "Back to the folder",
    onclose: vi.fn(),
  };
  return { props, ...render(Viewer, props) };
}

const viewer = () => screen.getByTestId("viewer");
const isIdle = () => viewer().classList.contains("resting");

async function enter() {
  await host.press("f");
  await waitFor(() => expect(viewer().classList.contains("full")).toBe(true));
}

describe("full screen", () => {
  it("is dark, with a name and a position", async () => {
    open();
    expect(screen.queryByText("all that is known")).toBeNull();
    await enter();
    expect(screenOwner).toBe(document.documentElement);
    expect(viewer().dataset["theme"]).toBe("dark");
    expect(screen.getByTestId("viewer-position").textContent).toBe("Picture 12 of 3,456");
    expect(screen.getByText("all that is known")).toBeDefined();
  });

  it("ends by Escape before the viewer does", async () => {
    const { props } = open();
    expect(host.named("Escape")).toBeUndefined();
    await enter();
    await host.press("Escape");
    await waitFor(() => expect(viewer().classList.contains("full")).toBe(false));
    expect(screenOwner).toBeNull();
    await waitFor(() => expect(host.named("Escape")).toBeUndefined());
    await enter();
    await fireEvent.click(screen.getByTestId("viewer-stage"));
    await waitFor(() => expect(screenOwner).toBeNull());
    expect(props.onclose).not.toHaveBeenCalled();
  });

  it("ends with the system's, and with the viewer", async () => {
    const { unmount } = open();
    await enter();
    await document.exitFullscreen();
    await waitFor(() => expect(viewer().classList.contains("full")).toBe(false));
    await enter();
    unmount();
    expect(screenOwner).toBeNull();
  });

  it("fills the window if the system refuses", async () => {
    document.documentElement.requestFullscreen = () => Promise.reject(new TypeError("not allowed"));
    open();
    await enter();
    await host.press("f");
    await waitFor(() => expect(viewer().classList.contains("full")).toBe(false));
    expect(document.exitFullscreen).not.toHaveBeenCalled();
  });

  it("ends full screen after a late grant", async () => {
    let allow = () => {};
    document.documentElement.requestFullscreen = () =>
      new Promise<void>((resolve) => {
        allow = () => {
          screenOwner = document.documentElement;
          resolve();
        };
      });
    open();
    await enter();
    await host.press("Escape");
    allow();
    await waitFor(() => expect(document.exitFullscreen).toHaveBeenCalledOnce());
  });

  it("hides the controls while the pointer rests", async () => {
    vi.useFakeTimers();
    open();
    await host.press("f");
    await vi.advanceTimersByTimeAsync(2_400);
    await fireEvent.keyDown(window, { key: "x" });
    await vi.advanceTimersByTimeAsync(2_400);
    expect(isIdle()).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isIdle()).toBe(true);
    const move = (screenX: number) => fireEvent(window, new MouseEvent("pointermove", { screenX }));
    await move(7);
    expect(isIdle()).toBe(false);
    await vi.advanceTimersByTimeAsync(2_600);
    expect(isIdle()).toBe(true);
    // The pointer has not moved.
    await move(7);
    expect(isIdle()).toBe(true);
    await host.press("Escape");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isIdle()).toBe(false);
  });

  it("Tab cycles within it", async () => {
    open();
    await enter();
    const buttons = [...viewer().querySelectorAll<HTMLElement>("button:not(:disabled)")];
    buttons.at(-1)?.focus();
    await fireEvent.keyDown(document.activeElement ?? document, { key: "Tab" });
    expect(document.activeElement).toBe(buttons[0]);
    await fireEvent.keyDown(document.activeElement ?? document, { key: "Tab", shiftKey: true });
    expect(document.activeElement).toBe(buttons.at(-1));
  });
});
