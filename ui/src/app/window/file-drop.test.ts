import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FilesDropped, GrantedFile } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

let backend: FakeBackend;
let app: App;
let stop = () => {};

beforeEach(() => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
});
afterEach(() => stop());

async function open(): Promise<void> {
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findByTestId("activity-bar");
}

describe("in the window", () => {
  let drop: (dropped: FilesDropped) => void;
  let heard: Promise<unknown>;

  beforeEach(async () => {
    heard = new Promise((resolve) => {
      backend.desktop = fakeDesktop({
        onFilesDropped: (handler) => {
          drop = handler;
          resolve(null);
          return Promise.resolve(() => {});
        },
      });
    });
    backend.roots.add.mockImplementation((source) => {
      const id = "grant" in source ? source.grant : "";
      if (id === "refused") return Promise.reject(new ApiError("outside_roots", 403, ""));
      return Promise.resolve({ id, name: id, path: `/home/aya/${id}`, available: true });
    });
    await open();
    await heard;
  });

  const granted = (grant: string, folder: boolean): GrantedFile => ({ grant, name: grant, size: null, folder });
  const dropAll = (...grants: GrantedFile[]) => drop({ grants, x: 0, y: 0, moves: false });

  it("opens all dropped folders, and shows the first", async () => {
    dropAll(granted("a.jpg", false), granted("One", true), granted("Two", true));
    await waitFor(() => expect(app.router.url.pathname).toBe("/pictures/One/"));
    expect(backend.roots.add.mock.calls).toEqual([[{ grant: "One" }], [{ grant: "Two" }]]);
    expect(app.roots.items.map(({ id }) => id)).toContain("Two");
    expect(screen.queryByTestId("toast")).toBeNull();
  });

  it("reports a folder that fails and opens others", async () => {
    dropAll(granted("refused", true), granted("Two", true));
    await waitFor(() => expect(app.router.url.pathname).toBe("/pictures/Two/"));
    expect(screen.getAllByTestId("toast")).toHaveLength(1);
  });

  it("explains where files can be dropped", async () => {
    dropAll(granted("a.jpg", false));
    expect((await screen.findByTestId("toast")).textContent).toContain("Drop a folder to open it.");
    expect(backend.roots.add).not.toHaveBeenCalled();
  });

  it("leaves drops to the editor during editing", async () => {
    await app.router.navigate("/edit/notes");
    dropAll(granted("One", true), granted("a.jpg", false));
    await Promise.resolve();
    expect(backend.roots.add).not.toHaveBeenCalled();
    expect(app.router.url.pathname).toBe("/edit/notes");
    expect(app.toasts.items).toEqual([]);
  });
});

describe("in a browser", () => {
  /** Creates a drag event with its data, which the tests' documents lack. */
  function drag(kind: "dragover" | "drop", types: readonly string[], target: EventTarget = document.body) {
    const dataTransfer = { types, dropEffect: "copy" };
    const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), { dataTransfer });
    target.dispatchEvent(event);
    return { prevented: event.defaultPrevented, effect: dataTransfer.dropEffect };
  }

  it("a file from outside never replaces the page", async () => {
    await open();
    expect(drag("dragover", ["Files"])).toEqual({ prevented: true, effect: "none" });
    expect(drag("drop", ["Files"]).prevented).toBe(true);
    stop();
    expect(drag("drop", ["Files"]).prevented).toBe(false);
  });

  it("ignores its own drags and drops handled elsewhere", async () => {
    await open();
    expect(drag("dragover", ["text/plain"])).toEqual({ prevented: false, effect: "copy" });
    const taking = document.createElement("div");
    document.body.append(taking);
    taking.addEventListener("dragover", (event) => event.preventDefault());
    expect(drag("dragover", ["Files"], taking)).toEqual({ prevented: true, effect: "copy" });
    taking.remove();
  });
});
