import { beforeEach, describe, expect, it } from "vitest";
import type { Backend } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { LockTokens } from "../../editing/lock-tokens";
import { editorFixture, pass, TAB } from "../../testing/editor-fixture";
import type { FakeServer } from "../../testing/fake-server";
import { EditSession } from "./edit-session.svelte";

const fixture = editorFixture();
let server: FakeServer;
let backend: Backend;

beforeEach(() => {
  server = fixture.server;
  backend = server.backend();
});

const enter = (path: string) => fixture.enter(path, TAB, backend);
const token = (path: string) => server.at(path)?.token;
const refuse = () => Promise.reject(new ApiError("internal", 500, ""));

describe("a session left before it has opened", () => {
  async function leaveImmediately(path: string): Promise<void> {
    const session = new EditSession({ backend, tokens: new LockTokens(TAB), path });
    const opening = session.open();
    session.dispose();
    await opening;
  }

  it("releases its lock", async () => {
    server.add("/p", "text");
    await fixture.lockFromReading("/p");
    await leaveImmediately("/p");
    expect(token("/p")).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it("releases it even if opening fails", async () => {
    server.add("/p", "text");
    await fixture.lockFromReading("/p");
    backend.users.me = refuse;
    await leaveImmediately("/p");
    expect(token("/p")).toBeNull();
  });

  it("keeps a draft that has files", async () => {
    const first = await enter("/new");
    server.files.set(first.pageId, ["a.png"]);
    await first.close(true);
    first.dispose();
    await leaveImmediately("/new");
    expect(token("/new")).not.toBeNull();
    expect((await enter("/new")).pageId).toBe(first.pageId);
  });
});

describe.each([
  ["the autosave", () => (backend.autosave.list = refuse)],
  ["the person's name", () => (backend.users.me = refuse)],
  ["the text", () => (backend.pages.source = refuse)],
])("when %s could not be read", (_, fail) => {
  let session: EditSession;

  beforeEach(async () => {
    server.add("/p", "text");
    await fixture.lockFromReading("/p");
    fail();
    session = await enter("/p");
    expect(session.phase.kind).toBe("failed");
  });

  it("another attempt reuses the lock", async () => {
    Object.assign(backend, server.backend());
    await session.open();
    expect(session.phase.kind).toBe("editing");
    session.dispose();
    await pass(0);
    expect(token("/p")).not.toBeNull();
  });

  it("leaving releases it", async () => {
    session.dispose();
    await pass(0);
    expect(token("/p")).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it("a closing tab releases it", async () => {
    await session.close();
    expect(token("/p")).toBeNull();
  });
});

it("leaving deletes a new draft that failed to open", async () => {
  backend.autosave.list = refuse;
  const session = await enter("/new");
  expect(server.at("/new")).toBeDefined();
  session.dispose();
  await pass(0);
  expect(server.at("/new")).toBeUndefined();
});

it("releases a lock that arrives after opening failed", async () => {
  server.add("/p", "text");
  await fixture.lockFromReading("/p");
  backend.autosave.list = refuse;
  const { source } = backend.pages;
  let answer: () => void = () => {};
  backend.pages.source = async (...all) => {
    await new Promise<void>((resolve) => (answer = resolve));
    return source(...all);
  };
  const session = new EditSession({ backend, tokens: new LockTokens(TAB), path: "/p" });
  const opening = session.open();
  await pass(0);
  session.dispose();
  answer();
  await opening;
  expect(token("/p")).toBeNull();
});
