import { beforeEach, describe, expect, it, vi } from "vitest";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { editorFixture, TAB, pass, type } from "../../testing/editor-fixture";
import type { FakeServer } from "../../testing/fake-server";
import type { EditSession } from "./edit-session.svelte";

const fixture = editorFixture();
const { lockFromReading, enter, edit, textAt } = fixture;
let server: FakeServer;

/** Puts a text into the editor. */
const put = (session: EditSession, text: string) => () => {
  type(session, text);
  return true;
};

beforeEach(() => {
  server = fixture.server;
});

describe("opening", () => {
  it("renews the lock that the reading view acquired", async () => {
    server.add("/p", "text");
    const session = await edit("/p");
    expect(session.phase.kind).toBe("editing");
    expect(session.text).toBe("text");
    const first = server.at("/p")?.token;
    await pass(130_000);
    expect(server.at("/p")?.token).not.toBe(first);
    expect(new LockTokens(TAB).read(server.at("/p")?.id ?? "")?.token).toBe(server.at("/p")?.token);
  });

  it("reads the text while the lock is renewed", async () => {
    server.add("/p", "text");
    await lockFromReading("/p");
    const { locks, pages } = server.backend;
    vi.mocked(locks.renew).mockImplementationOnce(() => new Promise(() => {}));
    void enter("/p");
    await pass(0);
    expect(pages.source).toHaveBeenCalledOnce();
  });

  it("without a token is read-only until locked", async () => {
    const page = server.add("/p", "text");
    const session = await enter("/p");
    expect(session.phase).toEqual({ kind: "no-lock", pageId: page.id });
    await session.takeLock(page.id);
    expect(session.phase.kind).toBe("editing");
  });

  it("in a second tab reports the lock", async () => {
    const page = server.add("/p", "text");
    await edit("/p");
    const second = await enter("/p", "tab-2");
    await second.takeLock(page.id);
    expect(second.phase.kind).toBe("taken");
  });

  it("after a crash takes over its old lock", async () => {
    server.holder = "Aya";
    const page = server.add("/p", "text");
    const lost = await edit("/p");
    const session = await enter("/p", "tab-2");
    await session.takeLock(page.id);
    expect(session.phase).toMatchObject({ kind: "taken", own: { pageId: page.id, isDraft: false } });
    if (session.phase.kind !== "taken" || session.phase.own === null) throw new Error("not taken");
    await session.takeOver(session.phase.own);
    expect(session.phase.kind).toBe("editing");
    await pass(200_000);
    expect(lost.lock.kind).toBe("lost");
    expect(session.lock.kind).toBe("held");
  });

  it("after a crash resumes its draft with text", async () => {
    server.holder = "Aya";
    const lost = await enter("/new");
    type(lost, "nearly lost");
    await pass(1_000);
    const session = await enter("/new", "tab-2");
    if (session.phase.kind !== "taken" || session.phase.own === null) throw new Error("not taken");
    expect(session.phase.own.isDraft).toBe(true);
    await session.takeOver(session.phase.own);
    expect(session.offers).toMatchObject([{ source: "nearly lost" }]);
    type(session, "nearly lost");
    expect(await session.save()).toMatchObject({ revision: 1 });
    expect(textAt("/new")).toBe("nearly lost");
  });

  it("after a reload takes a released lock anew", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    await session.close();
    session.dispose();
    expect(page.token).toBeNull();
    expect((await enter("/p")).phase.kind).toBe("editing");
  });

  it("creates a draft for a missing page", async () => {
    const session = await enter("/new");
    expect(session.phase.kind).toBe("editing");
    expect(session.base).toBeNull();
    expect(server.at("/new")?.source).toBeNull();
  });

  it("resumes its own draft, but not another tab's", async () => {
    await enter("/new");
    expect((await enter("/new")).phase.kind).toBe("editing");
    expect((await enter("/new", "tab-2")).phase.kind).toBe("taken");
  });

  it("reports a failure and opens on retry", async () => {
    server.fault = "unreachable";
    const session = await enter("/new");
    expect(session.phase.kind).toBe("failed");
    server.fault = null;
    await session.open();
    expect(session.phase.kind).toBe("editing");
  });
});

describe("the autosave", () => {
  it("stores the text within a second", async () => {
    server.add("/p", "text");
    const session = await edit("/p");
    type(session, "text, and more");
    expect(session.autosave.kind).toBe("pending");
    await pass(1_000);
    expect(server.entries).toMatchObject([{ source: "text, and more", base_revision: 1, tab: TAB, seq: 1 }]);
    expect(session.autosave.kind).toBe("saved");
  });

  it("is offered, and not overwritten before a decision", async () => {
    server.add("/p", "text");
    const first = await edit("/p");
    type(first, "left behind");
    await first.leave();
    const session = await edit("/p");
    expect(session.offers.map((offer) => offer.source)).toEqual(["left behind"]);
    type(session, "something else");
    await pass(1_000);
    expect(server.entries.map((entry) => entry.source)).toEqual(["left behind", "something else"]);
  });

  it("deletes an offer only after saving its text", async () => {
    server.add("/p", "text");
    const first = await edit("/p");
    type(first, "left behind");
    await first.leave();
    const session = await edit("/p");
    const [offer] = session.offers;
    if (offer === undefined) throw new Error("no offer");
    server.fault = "disk_full";
    await session.restoreOffer(offer, put(session, offer.source));
    expect(server.entries).toHaveLength(1);
    server.fault = null;
    await pass(3_000);
    expect(server.entries.map((entry) => entry.source)).toEqual(["left behind", "left behind"]);
  });

  it("keeps an offer that no editor took", async () => {
    server.add("/p", "text");
    const first = await edit("/p");
    type(first, "left behind");
    await first.leave();
    const session = await edit("/p");
    const [offer] = session.offers;
    if (offer === undefined) throw new Error("no offer");
    expect(await session.restoreOffer(offer, () => false)).toBe(false);
    expect(session.offers).toHaveLength(1);
    expect(server.entries).toMatchObject([{ source: "left behind" }]);
  });

  it.each(["take up", "discard"] as const)("keeps and offers text typed elsewhere since: %s", async (action) => {
    const page = server.add("/p", "text");
    const elsewhere = { path: "/p", base_revision: 1 };
    const { autosave } = server.backend;
    await autosave.put(page.id, "tab-2", { ...elsewhere, source: "seen", seq: 1 });
    const session = await edit("/p");
    const [offer] = session.offers;
    if (offer === undefined) throw new Error("no offer");
    await autosave.put(page.id, "tab-2", { ...elsewhere, source: "seen, and more", seq: 2 });
    if (action === "discard") await session.discardOffer(offer);
    else await session.restoreOffer(offer, put(session, offer.source));
    expect(session.offers.map(({ source }) => source)).toEqual(["seen, and more"]);
    expect(server.entries[0]).toMatchObject({ tab: "tab-2", source: "seen, and more" });
    if (action === "discard") return;
    await session.putBack(offer);
    expect(session.offers.map(({ source }) => source).toSorted()).toEqual(["seen", "seen, and more"]);
    expect(new Set(session.offers.map(({ id }) => id)).size).toBe(2);
    expect(server.entries.map(({ source }) => source)).toEqual(expect.arrayContaining(["seen", "seen, and more"]));
  });

  it("offers a text again after an accidental restore", async () => {
    server.add("/p", "text");
    const first = await edit("/p");
    type(first, "left behind");
    await first.leave();
    const session = await edit("/p");
    const [offer] = session.offers;
    if (offer === undefined) throw new Error("no offer");
    await session.restoreOffer(offer, put(session, offer.source));
    expect(session.offers).toEqual([]);
    type(session, "text");
    await session.putBack(offer);
    await pass(1_000);
    expect(session.offers.map(({ source }) => source)).toEqual(["left behind"]);
    expect(server.entries.map(({ source }) => source)).toEqual(["left behind"]);
  });

  it("offers the text of a deleted draft", async () => {
    const first = await enter("/new");
    type(first, "a poem");
    await first.close();
    first.dispose();
    expect(server.at("/new")).toBeUndefined();
    const session = await enter("/new", "tab-2");
    expect(session.offers.map((offer) => offer.source)).toEqual(["a poem"]);
  });

  it("continues its numbers after a reload", async () => {
    server.add("/p", "text");
    const first = await edit("/p");
    type(first, "text!");
    await pass(1_000);
    // Blank: an entry without an offer.
    type(first, " ");
    await first.leave();
    const session = await edit("/p");
    expect(session.offers).toEqual([]);
    type(session, "again");
    await pass(1_000);
    expect(server.entries).toMatchObject([{ source: "again", seq: 3 }]);
  });
});

describe("saving", () => {
  it("stores the text, clearing lock, autosave and token", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "better");
    await pass(1_000);
    expect(await session.save()).toMatchObject({ revision: 2 });
    expect(textAt("/p")).toBe("better");
    expect(page.token).toBeNull();
    expect(server.entries).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
    expect(session.dirty).toBe(false);
  });

  it("turns a draft into a page", async () => {
    const session = await enter("/new");
    type(session, "hello");
    await session.save();
    expect(server.at("/new")?.source).toMatchObject({ text: "hello", revision: 1 });
    expect(sessionStorage).toHaveLength(0);
  });

  it("keeps the line endings", async () => {
    server.add("/p", "a\r\nb\r\n");
    const session = await edit("/p");
    expect(session.dirty).toBe(false);
    type(session, "a\nb\nc");
    await session.save();
    expect(textAt("/p")).toBe("a\r\nb\r\nc");
  });

  it.each(["disk_full", "unreachable", "too_large", "internal"] as const)("loses nothing when it fails with %s", async (code) => {
    server.add("/p", "text");
    const session = await edit("/p");
    type(session, "precious");
    server.fault = code;
    expect(await session.save()).toBeNull();
    expect(session.saving).toMatchObject({ kind: "failed", error: { code } });
    expect(session.text).toBe("precious");
    expect(session.dirty).toBe(true);
    server.fault = null;
    await pass(5_000);
    expect(server.entries).toMatchObject([{ source: "precious" }]);
    expect(await session.save()).not.toBeNull();
    expect(textAt("/p")).toBe("precious");
  });

  it("names the text read, unless possibly older", async () => {
    server.add("/p", "text");
    const session = await edit("/p");
    for (const text of ["one", "two"]) {
      type(session, text);
      await session.save("write");
    }
    expect(server.reads).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
    expect(server.reads[0]).not.toBe(server.reads[1]);
    type(session, "older");
    await session.leave();
    const again = await edit("/p");
    const [offer] = again.offers;
    if (offer === undefined) throw new Error("no offer");
    await again.restoreOffer(offer, put(again, offer.source));
    await again.save();
    expect(server.reads.slice(2)).toEqual([null]);
  });

  it("is no failure once its answer is known", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "precious");
    server.fault = "unreachable";
    expect(await session.save()).toBeNull();
    // The save had arrived.
    server.fault = null;
    await server.backend.pages.save(page.id, "precious", { token: page.token ?? "", tab: TAB });
    await pass(5_000);
    expect([session.saving.kind, session.dirty, session.base?.revision]).toEqual(["idle", false, 2]);
    expect(server.entries).toEqual([]);
  });

  it("retakes a lost lock if nothing was saved", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.expire(page);
    expect(await session.save()).not.toBeNull();
    expect(textAt("/p")).toBe("mine");
  });

  it("overwrites another user's revision only on request", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.expire(page);
    server.overwrite(page, "theirs", "Ben");
    expect(await session.save()).toBeNull();
    expect(session.conflict).toMatchObject({ text: "theirs", revision: 2, author: "Ben" });
    expect(textAt("/p")).toBe("theirs");
    session.acceptConflict();
    await session.save();
    expect(page.source).toMatchObject({ text: "mine", revision: 3 });
  });

  it("overwrites an amended revision only on request", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.expire(page);
    server.amend(page, "amended in another tab");
    expect(await session.save()).toBeNull();
    expect(session.conflict).toMatchObject({ text: "amended in another tab", revision: 1 });
    expect(textAt("/p")).toBe("amended in another tab");
    session.acceptConflict();
    await session.save();
    expect(page.source).toMatchObject({ text: "mine", revision: 2 });
  });

  it("fails under another user's lock, keeping the text", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.expire(page);
    await server.backend.locks.acquire(page.id);
    expect(await session.save()).toBeNull();
    expect(session.saving).toMatchObject({ error: { code: "locked" } });
    expect(session.lock.kind).toBe("lost");
    expect(session.text).toBe("mine");
  });

  it("recreates an expired draft under the same path", async () => {
    const session = await enter("/new");
    const draft = server.at("/new");
    if (draft === undefined) throw new Error("no draft");
    type(session, "late");
    server.expire(draft);
    expect(await session.save()).not.toBeNull();
    expect(textAt("/new")).toBe("late");
    expect(sessionStorage).toHaveLength(0);
  });

  it("keeps no offer of an expired draft", async () => {
    const session = await enter("/new");
    const draft = server.at("/new");
    if (draft === undefined) throw new Error("no draft");
    type(session, "late");
    await pass(1_000);
    expect(server.entries).toHaveLength(1);
    server.expire(draft);
    expect(await session.save()).not.toBeNull();
    expect(server.entries).toEqual([]);
  });

  it("shows another user's page after its draft expired", async () => {
    const session = await enter("/new");
    const draft = server.at("/new");
    if (draft === undefined) throw new Error("no draft");
    type(session, "late");
    server.expire(draft);
    server.add("/new", "theirs", "Ben");
    expect(await session.save()).toBeNull();
    expect(session.conflict).toMatchObject({ text: "theirs", author: "Ben" });
    session.acceptConflict();
    await session.save();
    expect(textAt("/new")).toBe("late");
  });

  it("counts as done with only its answer lost", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.expire(page);
    server.overwrite(page, "mine", "Aya");
    expect(await session.save()).toMatchObject({ revision: 2 });
    expect(session.conflict).toBeNull();
  });

  it("leaves nothing unsaved once its lock is retaken", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.expire(page);
    server.overwrite(page, "mine", "Aya");
    expect(await session.regainLock()).toBe(true);
    expect(session.base).toMatchObject({ text: "mine", revision: 2 });
    expect(session.dirty).toBe(false);
    type(session, "mine and more");
    expect(session.dirty).toBe(true);
  });

  it("keeps autosaving later text despite a lost answer", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    await pass(1_000);
    await server.backend.pages.save(page.id, "mine", { token: page.token ?? "", tab: TAB });
    type(session, "mine and more");
    await pass(1_000);
    expect(session.autosave.kind).toBe("saved");
    expect(server.entries).toMatchObject([{ source: "mine and more", base_revision: 2 }]);
    expect(session.base).toMatchObject({ text: "mine", revision: 2 });
    expect(await session.save()).toMatchObject({ revision: 3 });
    expect(session.conflict).toBeNull();
  });

  it("counts as done even after undoing everything", async () => {
    const page = server.add("/p", "text");
    const session = await edit("/p");
    type(session, "mine");
    server.fault = "internal";
    expect(await session.save()).toBeNull();
    server.fault = null;
    await server.backend.pages.save(page.id, "mine", { token: page.token ?? "", tab: TAB });
    type(session, "text");
    await pass(5_000);
    expect(session.base).toMatchObject({ text: "mine", revision: 2 });
    expect(session.dirty).toBe(true);
    expect(server.entries).toMatchObject([{ source: "text", base_revision: 2 }]);
  });

  describe("during further typing", () => {
    let answer: () => void;

    /** A session whose saves are answered when `answer` is called. */
    async function slow(path: string): Promise<EditSession> {
      server.on("PUT /api/pages/{page_id}/source", async (_, next) => {
        const saved = await next();
        await new Promise<void>((resolve) => (answer = resolve));
        return saved;
      });
      return enter(path);
    }

    it("loses nothing: typing continues from the saved text", async () => {
      server.add("/p", "text");
      await lockFromReading("/p");
      const session = await slow("/p");
      type(session, "one");
      const saving = session.save();
      await pass(0);
      type(session, "one, two");
      answer();
      expect(await saving).toMatchObject({ revision: 2, continues: true });
      expect(textAt("/p")).toBe("one");
      expect(session).toMatchObject({ text: "one, two", dirty: true, base: { text: "one", revision: 2 } });
      expect(session.lock.kind).toBe("held");
      await pass(1_000);
      expect(server.entries).toMatchObject([{ source: "one, two", base_revision: 2 }]);
      const again = session.save();
      await pass(0);
      answer();
      expect(await again).toMatchObject({ revision: 3, continues: false });
      expect(textAt("/p")).toBe("one, two");
      expect(sessionStorage).toHaveLength(0);
    });

    it("turns a draft into a page and continues", async () => {
      const session = await slow("/new");
      type(session, "one");
      const saving = session.save();
      await pass(0);
      type(session, "one, two");
      answer();
      expect(await saving).toMatchObject({ continues: true });
      expect(session.base?.revision).toBe(1);
      expect(new LockTokens(TAB).readDraft("/new")).toBeNull();
      expect(server.at("/new")?.token).not.toBeNull();
    });

    it("reports that another user created the page first", async () => {
      const page = server.add("/p", "text");
      await lockFromReading("/p");
      const session = await slow("/p");
      type(session, "one");
      const saving = session.save();
      await pass(0);
      type(session, "one, two");
      await server.backend.locks.acquire(page.id);
      answer();
      await saving;
      expect(session.lock.kind).toBe("lost");
      expect(session.text).toBe("one, two");
    });
  });

  it("amends only one's own latest revision", async () => {
    const own = server.add("/own", "text", "Aya");
    const session = await edit("/own");
    expect(session.mayAmend).toBe(true);
    session.amend = true;
    type(session, "amended");
    await session.save();
    expect(own.source).toMatchObject({ text: "amended", revision: 1 });
    server.add("/other", "text", "Ben");
    expect((await edit("/other")).mayAmend).toBe(false);
  });
});
