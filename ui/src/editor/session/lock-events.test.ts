import { beforeEach, describe, expect, it } from "vitest";
import { editorFixture, pass, type } from "../../testing/editor-fixture";
import type { FakeServer } from "../../testing/fake-server";
import type { EditSession } from "./edit-session.svelte";

const fixture = editorFixture();
let server: FakeServer;
let renew: FakeServer["backend"]["locks"]["renew"];
let session: EditSession;

beforeEach(async () => {
  server = fixture.server;
  server.emitsLockEvents = true;
  server.holder = "Aya";
  renew = server.backend.locks.renew;
  server.add("/p", "text");
  await fixture.lockFromReading("/p");
  session = await fixture.enter("/p");
  await pass(1_000);
  renew.mockClear();
});

function page() {
  const page = server.at("/p");
  if (page === undefined) throw new Error("no page");
  return page;
}

/** Locks the page for another user, after its lock was broken. */
async function takenBy(user: string): Promise<void> {
  server.holder = user;
  page().token = null;
  await server.backend.locks.acquire(page().id);
  await pass(0);
}

describe("a lock that is gone", () => {
  it("is reported at once", async () => {
    server.expire(page());
    await pass(0);
    expect(session.lock.kind).toBe("lost");
    expect(session.holder).toBeNull();
  });

  it("is reported with the new holder's name", async () => {
    await takenBy("Ben");
    expect(session.lock.kind).toBe("lost");
    expect(session.holder).toBe("Ben");
    expect(session.ownLock).toBeNull();
    server.expire(page());
    await pass(0);
    expect(session.holder).toBeNull();
  });

  it("taken by one's own tab can be retaken", async () => {
    await server.backend.locks.acquire(page().id, true);
    await pass(0);
    expect(session.lock.kind).toBe("lost");
    const own = { pageId: page().id, isDraft: false };
    expect(session.ownLock).toEqual(own);
    await pass(1_000);
    expect(await session.regainLock(own)).toBe(true);
    await pass(0);
    expect(session.lock.kind).toBe("held");
    expect(session.holder).toBeNull();
  });

  it("may be lost after missed events", async () => {
    page().token = "another";
    server.emit("resync", {});
    await pass(0);
    expect(session.lock.kind).toBe("lost");
  });

  it("of another page is ignored", async () => {
    server.emit("page.unlocked", { page_id: "other" });
    await pass(0);
    expect(renew).not.toHaveBeenCalled();
  });
});

describe("the session's own requests", () => {
  it("causes no request: a renewal", async () => {
    await pass(130_000);
    expect(renew).toHaveBeenCalledOnce();
  });

  it("causes no request: an early or late renewal", async () => {
    server.emit("page.unlocked", { page_id: page().id });
    await pass(0);
    expect(renew).toHaveBeenCalledOnce();
    const late = { page_id: page().id, user_name: "Aya", expire: new Date(Date.now() + 300_000).toISOString() };
    await pass(130_000);
    renew.mockClear();
    server.emit("page.locked", late);
    await pass(0);
    expect(renew).not.toHaveBeenCalled();
  });

  it("causes no request: a save", async () => {
    type(session, "better");
    expect(await session.save()).not.toBeNull();
    await pass(0);
    expect(renew).not.toHaveBeenCalled();
    expect(session.lock.kind).toBe("ended");
  });

  it("causes no request: leaving", async () => {
    await session.leave();
    await pass(0);
    expect(renew).not.toHaveBeenCalled();
  });

  it("never looks like loss: a save during typing", async () => {
    const states = new Set<string>();
    server.on("PUT /api/pages/{page_id}/source", async (_, next) => {
      const saved = await next();
      type(session, "better, and more");
      await new Promise((resolve) => setTimeout(resolve, 500));
      states.add(session.lock.kind);
      return saved;
    });
    type(session, "better");
    const saving = session.save();
    await pass(1_000);
    expect(await saving).toMatchObject({ continues: true });
    await pass(10_000);
    states.add(session.lock.kind);
    expect([...states]).toEqual(["held"]);
    expect(renew.mock.calls.length).toBeLessThanOrEqual(1);
  });
});

it("requests nothing after the session", async () => {
  session.dispose();
  server.emit("resync", {});
  await pass(0);
  expect(renew).not.toHaveBeenCalled();
});
