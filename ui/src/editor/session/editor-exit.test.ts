import { Text } from "@codemirror/state";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { StubHost } from "../../testing/stub-host";
import { DraftFiles } from "../autosave/draft-files";
import { EditSession } from "./edit-session.svelte";
import type { UploadQueue } from "../files/upload-queue.svelte";
import { EditorExit } from "./editor-exit";

let server: FakeServer;
let host: StubHost;
let session: EditSession;
let files: DraftFiles;
let leaving: EditorExit;
let stops: (() => void)[];
const uploads: Pick<UploadQueue, "now" | "settled"> = { now: null, settled: () => Promise.resolve() };
const goToPage = vi.fn(() => Promise.resolve());
const save = vi.fn(() => Promise.resolve());
const discarded = vi.fn(() => Promise.resolve());

beforeEach(async () => {
  sessionStorage.clear();
  goToPage.mockClear();
  save.mockClear();
  discarded.mockClear();
  server = new FakeServer();
  host = new StubHost();
  session = new EditSession({ backend: server.backend, tokens: new LockTokens("tab"), path: "/p" });
  await session.open();
  files = new DraftFiles(server.backend);
  leaving = new EditorExit(session, uploads, files, host, { toPage: goToPage, save, discarded });
  stops = [leaving.listen(), files.watch(session.pageId)];
  await vi.waitFor(() => expect(files.mayExist).toBe(false));
});

afterEach(() => {
  for (const stop of stops) stop();
  session.dispose();
});

const type = (text: string) => session.change(Text.of([text]));

describe("going to another address", () => {
  it("releases the lock, asking nothing without unsaved text", async () => {
    expect(await host.mayLeave()).toBe(true);
    expect(host.questions).toEqual([]);
    expect(server.at("/p")).toBeUndefined();
  });

  it("asks about unsaved text, and stays", async () => {
    type("text");
    host.confirmAnswer = false;
    expect(await host.mayLeave()).toBe(false);
    expect(host.questions).toHaveLength(1);
    expect(server.at("/p")?.token).not.toBeNull();
  });

  it("asks during an upload", async () => {
    uploads.now = { label: "a.png", left: 1 };
    host.confirmAnswer = false;
    expect(await host.mayLeave()).toBe(false);
    expect(host.questions.at(0)?.message).toContain("a.png");
    uploads.now = null;
    expect(await host.mayLeave()).toBe(true);
  });

  it("autosaves the text for the next time", async () => {
    type("text");
    expect(await host.mayLeave()).toBe(true);
    expect(server.entries).toMatchObject([{ source: "text" }]);
    expect(host.questions[0]?.danger).toBe(false);
  });

  it("warns about files of a never saved page", async () => {
    server.files.set(session.pageId, ["a.png", "b.png"]);
    host.confirmAnswer = false;
    expect(await host.mayLeave()).toBe(false);
    expect(host.questions.at(-1)).toMatchObject({ message: "The 2 files you added will be removed, because the page was never saved.", danger: true });
    type("text");
    expect(await host.mayLeave()).toBe(false);
    expect(host.questions.at(-1)?.message).toContain("A draft of your text is kept");
    expect(host.questions.at(-1)?.message).toContain("The 2 files");
    await leaving.cancel();
    expect(host.questions.at(-1)?.message).toContain("The 2 files");
    expect(goToPage).not.toHaveBeenCalled();
  });

  it("keeps a saved page's files without a question", async () => {
    type("text");
    await session.save();
    const saved = server.at("/p");
    if (saved === undefined) throw new Error("not saved");
    server.files.set(saved.id, ["a.png"]);
    const again = new EditSession({ backend: server.backend, tokens: new LockTokens("tab"), path: "/p" });
    await again.open();
    await again.takeLock(saved.id);
    await new EditorExit(again, uploads, new DraftFiles(server.backend), host, { toPage: goToPage, save, discarded }).cancel();
    expect(host.questions).toEqual([]);
    again.dispose();
  });

  it("warns when no copy could be saved", async () => {
    server.fault = "disk_full";
    type("text");
    expect(await host.mayLeave()).toBe(true);
    expect(host.questions[0]?.danger).toBe(true);
    expect(host.toasts).toHaveLength(1);
  });
});

describe("cancelling", () => {
  it("returns to the page without unsaved text", async () => {
    await leaving.cancel();
    expect(host.questions).toEqual([]);
    expect(goToPage).toHaveBeenCalledOnce();
  });

  it("asks once for repeated presses", async () => {
    type("text");
    host.confirmAnswer = false;
    await Promise.all([leaving.cancel(), leaving.cancel()]);
    expect(host.questions).toHaveLength(1);
    await leaving.cancel();
    expect(host.questions).toHaveLength(2);
  });

  it("asks before losing text", async () => {
    type("text");
    host.confirmAnswer = false;
    await leaving.cancel();
    expect(goToPage).not.toHaveBeenCalled();
    host.confirmAnswer = true;
    await leaving.cancel();
    expect(goToPage).toHaveBeenCalledOnce();
    expect(server.entries).toEqual([]);
  });

  it("saves if chosen, which then navigates", async () => {
    type("text");
    host.confirmAnswer = "instead";
    await leaving.cancel();
    expect(save).toHaveBeenCalledOnce();
    expect(goToPage).not.toHaveBeenCalled();
    expect(session.dirty).toBe(true);
  });

  it("keeps files if the autosave entry remains", async () => {
    type("text");
    vi.spyOn(session, "discard").mockRejectedValue(new Error("no answer"));
    await leaving.cancel();
    expect(goToPage).toHaveBeenCalledOnce();
    expect(discarded).not.toHaveBeenCalled();
  });

  it("does not offer saving for files alone", async () => {
    server.files.set(session.pageId, ["a.png"]);
    host.confirmAnswer = false;
    await leaving.cancel();
    expect(host.questions[0]?.instead).toBeUndefined();
  });
});

describe("closing the window", () => {
  const close = (certain = false) => Promise.all([...host.closers].map(async (one) => one(certain)));

  it("keeps the lock until closing is certain", async () => {
    type("text");
    expect(await close()).toEqual(["saved"]);
    expect(server.entries).toMatchObject([{ source: "text" }]);
    expect(session.lock.kind).toBe("held");
    await close(true);
    expect(server.at("/p")).toBeUndefined();
  });

  it("deletes an unsaved page's files after a warning", async () => {
    server.files.set(session.pageId, ["a.png"]);
    type("text");
    expect(await close()).toEqual(["files at stake"]);
    expect(server.entries).toMatchObject([{ source: "text" }]);
    expect(server.at("/p")?.token).not.toBeNull();
    await close(true);
    expect(server.at("/p")).toBeUndefined();
  });

  it("warns about the unsaved text first", async () => {
    server.files.set(session.pageId, ["a.png"]);
    server.fault = "disk_full";
    type("text");
    expect(await close()).toEqual(["unsaved"]);
  });
});

describe("closing the tab", () => {
  const asks = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const hide = () => Promise.all([...host.closers].map(async (close) => close(true)));

  it("is confirmed while something is unsaved", () => {
    expect(asks()).toBe(false);
    type("text");
    expect(asks()).toBe(true);
  });

  it("autosaves the text and releases the lock", async () => {
    type("text");
    await hide();
    expect(server.entries).toMatchObject([{ source: "text" }]);
    expect(server.at("/p")).toBeUndefined();
  });

  describe("of a never saved page with files", () => {
    beforeEach(() => {
      server.files.set(session.pageId, ["a.png"]);
      server.emit("asset.changed", { page_id: session.pageId, asset_id: "a", kind: "added" });
    });

    it("is asked about at once", () => {
      expect(asks()).toBe(true);
    });

    it("keeps the draft, so reloading restores the files", async () => {
      await hide();
      expect(server.at("/p")?.token).not.toBeNull();
      session.dispose();
      const again = new EditSession({ backend: server.backend, tokens: new LockTokens("tab"), path: "/p" });
      await again.open();
      expect(again.pageId).toBe(session.pageId);
      again.dispose();
    });

    it("asks nothing once the files are deleted", async () => {
      server.files.delete(session.pageId);
      server.emit("asset.changed", { page_id: session.pageId, asset_id: "a", kind: "deleted" });
      await vi.waitFor(() => expect(asks()).toBe(false));
      await hide();
      expect(server.at("/p")).toBeUndefined();
    });

    it("asks nothing once the page is saved", async () => {
      type("text");
      await session.save();
      expect(asks()).toBe(false);
    });
  });

  it("keeps a draft with unknown or uploading files", async () => {
    uploads.now = { label: "a.png", left: 1 };
    await hide();
    uploads.now = null;
    server.fault = "unreachable";
    stops.push(files.watch(session.pageId));
    await hide();
    server.fault = null;
    expect(server.at("/p")?.token).not.toBeNull();
  });
});
