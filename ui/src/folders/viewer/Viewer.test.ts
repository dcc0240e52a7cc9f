import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath, ROOT_PATH } from "../../api/names";
import { animationPart } from "../../testing/animation-frames";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { Listing } from "../listing/listing.svelte";
import { sessionMemory } from "../session/session-memory";
import { FolderSequence } from "./picture-sequence";
import Viewer from "./Viewer.svelte";

let host: StubHost;
const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({
  name,
  kind: "picture",
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id: `id-${name}`,
  width: 4_000,
  height: 3_000,
  ...more,
});

beforeEach(() => {
  host = new StubHost();
  sessionMemory.isViewKept = false;
});

function open(first: Partial<FolderEntry> = {}) {
  const backend = new FakeBackend();
  const props = {
    entry: entry("a.jpg", first),
    pictures: new FolderSequence(new Listing(backend, "R1", ROOT_PATH, { sort: "name", order: "asc" })),
    index: 0,
    root: "R1",
    path: canonicalPath(""),
    folders: backend.folders,
    host,
    thumbnail: 192,
    neighbours: { before: null, after: { folder: { root: "R1", path: ROOT_PATH }, entry: entry("b.jpg") } },
    hashState: null,
    position: null,
    info: createRawSnippet(() => ({ render: () => "<p></p>" })),
    infoShown: false,
    oninfo: vi.fn(),
    onstep: vi.fn(),
    addressOf: ({ entry: { name } }: { entry: { name: string } }) => `/pictures/R1?view=${name}`,
    ongo: vi.fn(),
    backLabel: "Back to the folder",
    onclose: vi.fn(),
  };
  return { props, ...render(Viewer, props) };
}

const image = () => screen.getByTestId("viewer-image");
const stage = () => screen.getByTestId("viewer-stage");
const percent = () => screen.getByTestId("zoom").textContent;
const settled = () => waitFor(() => expect(percent()).not.toBe(""));

/** The centre of a stage of 1,000 × 800, where the test document places all elements. */
const middle = { clientX: 500, clientY: 400 };

describe("the view of a picture", () => {
  it("has its size before it loads", async () => {
    open();
    await settled();
    expect(percent()).toBe("24%");
    expect(image().style.width).toBe("968px");
    const stand = stage().querySelector("img[alt='']");
    expect(stand?.getAttribute("src")).toBe("/thumb?root=R1&path=a.jpg&size=192x192&mode=shrink&format=jpg&v=id-a.jpg");
    expect(stand?.getAttribute("style")).toBe(image().getAttribute("style"));
    await fireEvent.load(image());
    await waitFor(() => expect(stage().querySelectorAll("img")).toHaveLength(1));
  });

  it("is turned as its sidecar says", async () => {
    // Upright it is 4,000 × 3,000.
    const { props, rerender } = open({ turn: 6, width: 3_000, height: 4_000 });
    await settled();
    expect(percent()).toBe("19%");
    const stand = stage().querySelector("img[alt='']");
    expect(stand?.getAttribute("src")).toBe("/thumb?root=R1&path=a.jpg&size=192x192&mode=shrink&format=jpg&turn=6&v=id-a.jpg");
    expect(image().getAttribute("src")).toBe("/api/image?root=R1&path=a.jpg&v=id-a.jpg");
    expect([image().style.width, image().style.height]).toEqual(["776px", "582px"]);
    expect(image().style.transform).toContain("matrix(0, 1, -1, 0, 582, 0)");
    await host.press("\\");
    await waitFor(() => expect(image().style.width).toBe("968px"));
    expect(image().style.transform).not.toContain("matrix");
    expect(screen.getByTestId("show-original").getAttribute("aria-pressed")).toBe("true");
    await host.press("\\");
    await waitFor(() => expect(image().style.width).toBe("776px"));
    await rerender({ ...props, entry: entry("b.jpg") });
    expect(screen.queryByTestId("show-original")).toBeNull();
  });

  it("is cropped as its sidecar says", async () => {
    const crop = { x: 0.25, y: 0.5, width: 0.5, height: 1, angle: 0 };
    const { props, rerender } = open({ crop, width: 2_000, height: 3_000 });
    await settled();
    expect(percent()).toBe("26%");
    expect(stage().querySelector("img[alt='']")?.getAttribute("src")).toContain("&crop=0.25%2C0.5%2C0.5%2C1%2C0&");
    expect(image().getAttribute("src")).toBe("/api/image?root=R1&path=a.jpg&v=id-a.jpg");
    expect(image().style.clipPath).toBe("polygon(0% 0%, 50% 0%, 50% 100%, 0% 100%)");
    await host.press("\\");
    await waitFor(() => expect(image().style.clipPath).toBe(""));
    expect(percent()).toBe("24%");
    await host.press("e");
    const oncropping = vi.fn();
    await rerender({ ...props, isCropping: true, oncropping });
    expect(screen.getByTestId("crop-size").textContent).toBe("2,000 × 3,000");
    await host.press("Escape");
    expect(oncropping).toHaveBeenCalledExactlyOnceWith(false);
  });

  it("reports a damaged picture", async () => {
    const { props, rerender } = open({ state: "undecodable" });
    expect(screen.queryByTestId("viewer-damaged")).toBeNull();
    await fireEvent.load(image());
    expect((await screen.findByTestId("viewer-damaged")).textContent).toContain("damaged");
    await rerender({ ...props, entry: entry("b.jpg") });
    await fireEvent.load(image());
    await settled();
    expect(screen.queryByTestId("viewer-damaged")).toBeNull();
  });

  it("reports a changed file with its record", async () => {
    const { props, rerender } = open();
    expect(screen.queryByTestId("viewer-hash")).toBeNull();
    await rerender({ ...props, hashState: "corrupt" });
    expect(screen.getByTestId("viewer-hash").textContent).toMatch(/Corrupt.*The disk has damaged the file\./s);
    expect(screen.getByTestId("viewer-hash-open").getAttribute("href")).toBe("/hashes?root=R1&path=a.jpg");
    await rerender({ ...props, hashState: "ok" });
    expect(screen.queryByTestId("viewer-hash")).toBeNull();
  });

  it("reports a picture without a thumbnail", async () => {
    const { props, rerender } = open();
    const probe = vi.spyOn(props.folders, "probe");
    probe.mockRejectedValueOnce(new ApiError("picture_undecodable", 422, ""));
    const stand = stage().querySelector("img[alt='']");
    if (stand) await fireEvent.error(stand);
    await fireEvent.load(image());
    expect(await screen.findByTestId("viewer-damaged")).toBeDefined();
    expect(probe).toHaveBeenCalledExactlyOnceWith("/thumb?root=R1&path=a.jpg&size=192x192&mode=shrink&format=jpg&v=id-a.jpg", expect.any(AbortSignal));
    // A missing thumbnail is probed, and the failure may say nothing about the picture.
    probe.mockRejectedValueOnce(new ApiError("decoder_unavailable", 503, ""));
    await rerender({ ...props, entry: entry("b.jpg") });
    await fireEvent.load(image());
    await waitFor(() => expect(probe).toHaveBeenCalledTimes(2));
    expect(screen.queryByTestId("viewer-damaged")).toBeNull();
  });

  it("reports a truncated file", async () => {
    const { props, rerender } = open();
    const info = vi.spyOn(props.folders, "info");
    const told = await props.folders.info("R1", canonicalPath("a.jpg"));
    info.mockResolvedValueOnce({ ...told, is_incomplete: true });
    await fireEvent.load(image());
    expect((await screen.findByTestId("viewer-cut-off")).textContent).toBe("Only part of this picture can be shown: its end is missing.");
    await rerender({ ...props, entry: entry("b.jpg") });
    await fireEvent.load(image());
    await waitFor(() => expect(info).toHaveBeenLastCalledWith("R1", "b.jpg", expect.any(AbortSignal)));
    expect(screen.queryByTestId("viewer-cut-off")).toBeNull();
  });

  it("reports a picture that can't be shown", async () => {
    open({ state: "undecodable" });
    await fireEvent.error(image());
    expect((await screen.findByTestId("viewer-failed")).textContent).toContain("This picture can’t be displayed. The file may be damaged.");
  });

  it("is shown without a known size", async () => {
    open({ width: null, height: null });
    expect(await screen.findByTestId("viewer-image")).toBeDefined();
    await host.press("+");
    expect(percent()).toBe("");
    expect(image().style.inset).toBe("12px 16px");
    Object.defineProperties(image(), { naturalWidth: { value: 400 }, naturalHeight: { value: 300 } });
    await fireEvent.load(image());
    await waitFor(() => expect(percent()).toBe("100%"));
    expect(image().style.width).toBe("400px");
  });

  it("uses the actual size over the header's", async () => {
    open({ width: 3_000, height: 4_000 });
    await settled();
    Object.defineProperties(image(), { naturalWidth: { value: 400 }, naturalHeight: { value: 300 } });
    await fireEvent.load(image());
    await waitFor(() => expect(image().style.width).toBe("400px"));
  });

  it("is zoomed by keys and buttons", async () => {
    open();
    await settled();
    await host.press("+");
    await waitFor(() => expect(percent()).toBe("30%"));
    await host.press("=");
    await waitFor(() => expect(percent()).toBe("50%"));
    await host.press("-");
    await waitFor(() => expect(percent()).toBe("30%"));
    await host.press("z");
    await waitFor(() => expect(percent()).toBe("100%"));
    expect(screen.getByTestId("zoom-actual").getAttribute("aria-pressed")).toBe("true");
    await host.press("w");
    await waitFor(() => expect(percent()).toBe("27%"));
    await host.press("Shift+z");
    await waitFor(() => expect(percent()).toBe("24%"));
    await fireEvent.click(screen.getByTestId("zoom-in"));
    expect(percent()).toBe("30%");
    await fireEvent.click(screen.getByTestId("zoom-fit"));
    expect(percent()).toBe("24%");
  });

  it("is zoomed by wheel and double click", async () => {
    open();
    await settled();
    await fireEvent.dblClick(image(), middle);
    expect(image().style.transform).toBe("translate(-1500px, -1100px)");
    await fireEvent.dblClick(image(), middle);
    expect(percent()).toBe("24%");
    expect(await fireEvent.wheel(stage(), { deltaY: -100, ...middle })).toBe(false);
    expect(percent()).toBe("30%");
    expect(image().classList.contains("pixels")).toBe(false);
    for (let turn = 0; turn < 30; turn += 1) await fireEvent.wheel(stage(), { deltaY: -100, ...middle });
    expect(percent()).toBe("1,600%");
    expect(image().classList.contains("pixels")).toBe(true);
  });

  it("is rotated without another request", async () => {
    open();
    await settled();
    const current = image();
    await host.press("r");
    await waitFor(() => expect(image().style.transform).toContain("rotate(90deg)"));
    await host.press("Shift+r");
    await host.press("Shift+r");
    await waitFor(() => expect(image().style.transform).toContain("rotate(270deg)"));
    expect(image()).toBe(current);
  });

  it("pans by arrows only while parts are hidden", async () => {
    open();
    await settled();
    expect(host.named("ArrowLeft")).toBeUndefined();
    await host.press("w");
    await waitFor(() => expect(host.named("ArrowLeft")).toBe("Pan"));
    expect(host.named("ArrowUp")).toBeUndefined();
    await host.press("z");
    await waitFor(() => expect(host.named("ArrowUp")).toBeDefined());
    const before = image().style.transform;
    await host.press("ArrowRight");
    await waitFor(() => expect(image().style.transform).not.toBe(before));
    expect(image().style.transform).toBe("translate(-1580px, -1100px)");
    await host.press("Shift+z");
    await waitFor(() => expect(host.named("ArrowUp")).toBeUndefined());
  });
});

describe("the mouse and touch", () => {
  const down = (pointerId: number, x: number, y: number) => fireEvent(stage(), pointer("pointerdown", pointerId, x, y));
  const move = (pointerId: number, x: number, y: number) => fireEvent(stage(), pointer("pointermove", pointerId, x, y));
  const up = (pointerId: number) => fireEvent(stage(), pointer("pointerup", pointerId, 0, 0));

  /** The test document has no pointer events. */
  function pointer(type: string, pointerId: number, clientX: number, clientY: number) {
    const event = new MouseEvent(type, { bubbles: true, clientX, clientY, buttons: type === "pointerup" ? 0 : 1 });
    return Object.assign(event, { pointerId, pointerType: "touch" });
  }

  beforeEach(() => {
    HTMLElement.prototype.setPointerCapture = vi.fn();
  });

  it("drag without a press beside the picture", async () => {
    const { props } = open();
    await settled();
    await host.press("z");
    await down(1, 500, 400);
    await move(1, 502, 400);
    expect(stage().setPointerCapture).not.toHaveBeenCalled();
    await move(1, 510, 420);
    expect(image().style.transform).toBe("translate(-1490px, -1080px)");
    await up(1);
    await fireEvent.click(stage());
    await move(1, 600, 600);
    expect(image().style.transform).toBe("translate(-1490px, -1080px)");
    expect(props.onclose).not.toHaveBeenCalled();
  });

  it("are released outside the stage", async () => {
    open();
    await settled();
    await host.press("z");
    await down(1, 500, 400);
    await fireEvent(stage(), Object.assign(new MouseEvent("pointermove", { bubbles: true, clientX: 700, clientY: 400 }), { pointerId: 1 }));
    expect(image().style.transform).toBe("translate(-1500px, -1100px)");
  });

  it("two of them enlarge it", async () => {
    open();
    await settled();
    await down(1, 450, 400);
    await down(2, 550, 400);
    await move(1, 400, 400);
    await move(2, 600, 400);
    expect(percent()).toBe("48%");
  });

  it("lead back by a press beside the picture", async () => {
    const { props } = open();
    await settled();
    await fireEvent.click(image());
    expect(props.onclose).not.toHaveBeenCalled();
    await down(1, 3, 3);
    await up(1);
    await fireEvent.click(stage());
    expect(props.onclose).toHaveBeenCalledOnce();
  });
});

describe("the next picture", () => {
  it("begins fitted and upright", async () => {
    const { rerender } = open();
    await settled();
    await host.press("r");
    await host.press("z");
    await rerender({ entry: entry("b.jpg") });
    await waitFor(() => expect(percent()).toBe("24%"));
    expect(image().style.transform).not.toContain("rotate");
  });

  it("keeps the view if wanted", async () => {
    const { rerender } = open();
    await settled();
    await host.press("Shift+l");
    await host.press("z");
    await host.press("ArrowRight");
    await rerender({ entry: entry("b.jpg") });
    await waitFor(() => expect(image().style.transform).toBe("translate(-1580px, -1100px)"));
    expect(screen.getByTestId("keep-view").getAttribute("aria-pressed")).toBe("true");
    expect(sessionMemory.isViewKept).toBe(true);
  });
});

describe("a picture replaced by another program", () => {
  it("keeps the view unless resized", async () => {
    const { rerender } = open();
    await settled();
    await host.press("z");
    // The size is unknown until the header was read.
    await rerender({ entry: entry("a.jpg", { id: "new", width: null, height: null }) });
    await rerender({ entry: entry("a.jpg", { id: "new" }) });
    await waitFor(() => expect(image().getAttribute("src")).toBe("/api/image?root=R1&path=a.jpg&v=new"));
    expect(percent()).toBe("100%");
    await rerender({ entry: entry("a.jpg", { id: "newer", width: 3_000, height: 4_000 }) });
    await waitFor(() => expect(percent()).toBe("19%"));
  });
});

describe("an animated AVIF", () => {
  const context = () => ({ canvas: document.createElement("canvas"), clearRect: vi.fn(), drawImage: vi.fn() });

  beforeEach(() => {
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(context as never);
    vi.stubGlobal("ImageBitmap", class {});
    vi.stubGlobal("createImageBitmap", () => Promise.resolve({}));
    vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: true }));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  async function opened(answer: (url: string) => Response) {
    const asked = vi.fn((url: string) => Promise.resolve(answer(url)));
    vi.stubGlobal("fetch", asked);
    open({ name: "a.avif", id: "id-a" });
    await fireEvent.load(image());
    await waitFor(() => expect(asked).toHaveBeenCalled());
    return asked;
  }

  it("shows frames that the server decodes", async () => {
    const asked = await opened((url) => new Response(animationPart([url.includes("from=2") ? 2 : 0, 200, 300, 400], url.includes("from=2") ? 1 : 2)));
    await waitFor(() => expect(screen.getByTestId("animation-frame").textContent).toContain("1 / 3"));
    await host.press("Shift+ArrowRight");
    await host.press("Shift+ArrowRight");
    await waitFor(() => expect(screen.getByTestId("animation-frame").textContent).toContain("3 / 3"));
    const frames = asked.mock.calls.map(([url]) => url).filter((url) => url.includes("/frames?"));
    expect(frames).toEqual(["/api/image/frames?root=R1&path=a.avif&from=0&v=id-a", "/api/image/frames?root=R1&path=a.avif&from=2&v=id-a"]);
  });

  it("that is too large says so", async () => {
    await opened(() => new Response(null, { status: 422 }));
    expect((await screen.findByTestId("animation-unavailable")).textContent).toBe("This animation can’t be paused");
    expect(screen.queryByTestId("animation-play")).toBeNull();
  });

  it("that is a single picture has no frames", async () => {
    await opened(() => new Response(null, { status: 204 }));
    await settled();
    expect(screen.queryByTestId("animation-unavailable")).toBeNull();
    expect(screen.queryByTestId("animation-play")).toBeNull();
  });
});
