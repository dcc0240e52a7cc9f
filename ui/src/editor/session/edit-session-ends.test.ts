import { beforeEach, describe, expect, it, vi } from "vitest";
import { editorFixture, pass, type } from "../../testing/editor-fixture";
import { fakeDesktop } from "../../testing/fake-backend";
import type { FakeServer } from "../../testing/fake-server";
import type { EditSession } from "./edit-session.svelte";

const fixture = editorFixture();
const { lockFromReading, enter, edit, textAt } = fixture;
let server: FakeServer;

beforeEach(() => {
  server = fixture.server;
});

describe("a lock taken by another tab of the user", () => {
  beforeEach(() => {
    server.holder = "Aya";
  });

  /** Takes the page over in another tab; this one notices at its next renewal. */
  async function lose(session: EditSession, path: string): Promise<void> {
    await server.backend.locks.acquire(server.at(path)?.id ?? "", true);
    await pass(130_000);
    expect(session.lock.kind).toBe("lost");
  }

  it("is recognized and taken back in place", async () => {
    server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    await lose(session, "/p");
    const error: unknown = await session.regainLock().catch((refused: unknown) => refused);
    const own = await session.ownLockBehind(error);
    expect(own).toEqual({ pageId: server.at("/p")?.id, isDraft: false });
    expect(await session.regainLock(own)).toBe(true);
    expect(session.lock.kind).toBe("held");
    expect(await session.save()).toMatchObject({ revision: 2 });
    expect(textAt("/p")).toBe("mine");
  });

  it("is released when it arrives after leaving", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    await lose(session, "/p");
    const regained = session.regainLock({ pageId: page.id, isDraft: false });
    session.dispose();
    await regained;
    expect(page.token).toBeNull();
    await pass(600_000);
    expect(page.token).toBeNull();
  });

  it("does not overwrite the other tab's save", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    await lose(session, "/p");
    server.overwrite(page, "from the other tab", "Aya");
    expect(await session.regainLock({ pageId: page.id, isDraft: false })).toBe(false);
    expect(session.conflict).toMatchObject({ text: "from the other tab", revision: 2 });
  });

  it("is reported by saving, cleared by taking over", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    await server.backend.locks.acquire(page.id, true);
    expect(await session.save()).toBeNull();
    expect(session.saving).toMatchObject({ error: { code: "locked" }, own: { pageId: page.id } });
    expect(await session.regainLock({ pageId: page.id, isDraft: false })).toBe(true);
    expect(session.saving.kind).toBe("idle");
    expect(await session.save()).not.toBeNull();
  });

  it("of a draft is taken back with it", async () => {
    const session = await enter("/new");
    type(session, "mine");
    await lose(session, "/new");
    const error: unknown = await session.regainLock().catch((refused: unknown) => refused);
    expect(await session.regainLock(await session.ownLockBehind(error))).toBe(true);
    expect(await session.save()).toMatchObject({ revision: 1 });
  });

  it("of another user can't be taken over", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.holder = "Ben";
    server.expire(page);
    await server.backend.locks.acquire(page.id);
    expect(await session.save()).toBeNull();
    expect(session.saving).toMatchObject({ own: null });
  });
});

describe("closing the window", () => {
  async function inWindow(path: string): Promise<EditSession> {
    server.backend.desktop = fakeDesktop();
    return enter(path);
  }

  it("autosaves the text and releases the lock", async () => {
    server.add("/p", "text");
    await lockFromReading("/p");
    const session = await inWindow("/p");
    type(session, "half");
    expect(await session.close()).toBe("saved");
    expect(server.entries).toMatchObject([{ source: "half" }]);
    expect(server.at("/p")?.token).toBeNull();
  });

  it("releases the lock even if the autosave fails", async () => {
    const session = await inWindow("/new");
    type(session, "nearly lost");
    server.fault = "disk_full";
    await session.settled();
    expect(session.isAutosaved).toBe(false);
    expect(session.lock.kind).toBe("held");
    expect(await session.close()).toBe("unsaved");
    expect(session.lock.kind).toBe("ended");
  });

  it("waits for a running save", async () => {
    server.add("/p", "text");
    await lockFromReading("/p");
    const session = await inWindow("/p");
    type(session, "better");
    const saving = session.save();
    expect(await session.close()).toBe("saved");
    await saving;
    expect(textAt("/p")).toBe("better");
  });
});

describe("leaving", () => {
  it("autosaves the text and releases the lock", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "half");
    await session.leave();
    expect(server.entries).toMatchObject([{ source: "half" }]);
    expect(page.token).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it("by cancelling deletes only this session's autosave entry", async () => {
    server.add("/p", "text");
    const first = await edit("/p");
    type(first, "older");
    await first.leave();
    const session = await edit("/p");
    type(session, "newer");
    await pass(1_000);
    await session.discard();
    expect(server.entries.map((entry) => entry.source)).toEqual(["older"]);
  });

  it("by cancelling also deletes an entry being written", async () => {
    server.add("/p", "text");
    const session = await edit("/p");
    type(session, "not wanted");
    await vi.advanceTimersByTimeAsync(600);
    await session.discard();
    await pass(10_000);
    expect(server.entries).toEqual([]);
  });

  it("by cancelling releases the lock after navigating away", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "not wanted");
    await pass(1_000);
    const discarded = session.discard();
    session.dispose();
    await discarded;
    expect(page.token).toBeNull();
    expect(server.entries).toEqual([]);
  });

  it("keeps no entry of text that was undone", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "texts");
    await pass(1_000);
    expect(server.entries).toMatchObject([{ source: "texts" }]);
    type(session, "text");
    await pass(1_000);
    expect(session.autosave.kind).toBe("saved");
    expect(server.entries).toEqual([]);
    type(session, "text, and more");
    await pass(1_000);
    expect(server.entries).toMatchObject([{ source: "text, and more" }]);
    type(session, "text");
    await session.leave();
    server.overwrite(page, "what Ben wrote", "Ben");
    expect((await edit("/p")).offers).toEqual([]);
  });

  it("by cancelling removes a draft", async () => {
    const session = await enter("/new");
    await session.discard();
    expect(server.at("/new")).toBeUndefined();
  });
});

it("continuing keeps a page's and a draft's locks", async () => {
  const session = await enter("/new");
  server.emitsLockEvents = true;
  const events: string[] = [];
  server.backend.events.on("page.unlocked", () => events.push("unlocked"));
  for (const [index, text] of ["one", "two"].entries()) {
    type(session, text);
    await pass(1_000);
    expect(await session.save("write")).toMatchObject({ revision: index + 1, continues: true });
    expect(session).toMatchObject({ dirty: false, base: { text, revision: index + 1 }, lock: { kind: "held" } });
    expect(server.entries).toEqual([]);
  }
  expect(events).toEqual([]);
  await pass(130_000);
  expect(session.lock.kind).toBe("held");
  type(session, "three");
  await pass(1_000);
  expect(server.entries).toMatchObject([{ source: "three", base_revision: 2 }]);
  expect(await session.save()).toMatchObject({ revision: 3, continues: false });
  expect(sessionStorage).toHaveLength(0);
});
