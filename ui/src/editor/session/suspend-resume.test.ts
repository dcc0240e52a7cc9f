import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { FakeServer } from "../../testing/fake-server";
import "../../testing/ranges";
import { StubHost } from "../../testing/stub-host";
import { EditView } from "..";

const MINUTE = 60_000;

let server: FakeServer;
let renew: FakeServer["backend"]["locks"]["renew"];
let token: () => string | null | undefined;
let unmount: () => void;

beforeEach(async () => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T09:00:00Z") });
  server = new FakeServer();
  const { id } = server.add("/p", "text");
  token = () => server.at("/p")?.token;
  new LockTokens("tab").write(id, await server.backend.locks.acquire(id));
  const backend = server.backend;
  renew = backend.locks.renew;
  const parts = { backend, host: new StubHost(), tabId: Promise.resolve("tab") };
  ({ unmount } = render(EditView, { ...parts, path: "/p", preview: { open: false, width: null }, onpreview: vi.fn() }));
  await screen.findByTestId("editor");
  renew.mockClear();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Simulates a sleep of the machine: no timer runs, and then it is later. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

const WAYS: [string, () => void][] = [
  ["the network is back", () => window.dispatchEvent(new Event("online"))],
  ["the page comes out of the browser's memory", () => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))],
  ["the tab is looked at again", () => show("visible")],
];

const settled = () => new Promise((done) => setTimeout(done, 10));

describe.each(WAYS)("when %s", (_, happens) => {
  it("requests a lock due for renewal at once", async () => {
    const before = token();
    sleep(4 * MINUTE);
    happens();
    await vi.waitFor(() => expect(token()).not.toBe(before));
    expect(token()).not.toBeNull();
  });

  it("requests a lock of uncertain state at once", async () => {
    server.fault = "unreachable";
    sleep(4 * MINUTE);
    happens();
    await settled();
    const before = token();
    server.fault = null;
    happens();
    await vi.waitFor(() => expect(token()).not.toBe(before));
  });

  it("does not renew a fresh lock", async () => {
    const before = token();
    sleep(MINUTE / 2);
    happens();
    await settled();
    expect(token()).toBe(before);
  });

  it("requests nothing for a closed editor", async () => {
    unmount();
    sleep(4 * MINUTE);
    happens();
    await settled();
    expect(renew).not.toHaveBeenCalled();
  });
});

it("a hidden tab requests nothing", async () => {
  const before = token();
  sleep(4 * MINUTE);
  show("hidden");
  await settled();
  expect(token()).toBe(before);
});
