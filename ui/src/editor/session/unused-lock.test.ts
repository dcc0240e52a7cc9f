import { beforeEach, describe, expect, it } from "vitest";
import type { Backend } from "../../api/backend";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { editorFixture, pass, TAB } from "../../testing/editor-fixture";
import type { FakeServer } from "../../testing/fake-server";
import { type Endpoint, fail } from "../../testing/server";
import { EditSession } from "./edit-session.svelte";

const fixture = editorFixture();
let server: FakeServer;
let backend: Backend;

beforeEach(() => {
  server = fixture.server;
  backend = server.backend;
});

const enter = (path: string) => fixture.enter(path);
const token = (path: string) => server.at(path)?.token;
const refuse = (endpoint: Endpoint) => server.once(endpoint, () => fail("internal"));

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
    refuse("GET /api/users/me");
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
  ["the autosave", "GET /api/journals"],
  ["the person's name", "GET /api/users/me"],
  ["the text", "GET /api/pages/{page_id}/source"],
] as const)("when %s could not be read", (_, endpoint) => {
  let session: EditSession;

  beforeEach(async () => {
    server.add("/p", "text");
    await fixture.lockFromReading("/p");
    refuse(endpoint);
    session = await enter("/p");
    expect(session.phase.kind).toBe("failed");
  });

  it("another attempt reuses the lock", async () => {
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

it("leaving deletes a draft that failed to open", async () => {
  refuse("GET /api/journals");
  const session = await enter("/new");
  expect(server.at("/new")).toBeDefined();
  session.dispose();
  await pass(0);
  expect(server.at("/new")).toBeUndefined();
});

it("releases a lock that arrives after opening failed", async () => {
  server.add("/p", "text");
  await fixture.lockFromReading("/p");
  refuse("GET /api/journals");
  let answer: () => void = () => {};
  server.on("GET /api/pages/{page_id}/source", async (_, next) => {
    await new Promise<void>((resolve) => (answer = resolve));
    return next();
  });
  const session = new EditSession({ backend, tokens: new LockTokens(TAB), path: "/p" });
  const opening = session.open();
  await pass(0);
  session.dispose();
  answer();
  await opening;
  expect(token("/p")).toBeNull();
});
