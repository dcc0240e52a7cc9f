import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Router } from "./router.svelte";

let router: Router;
let stop: () => void;

beforeEach(() => {
  history.replaceState(null, "", "/wiki/");
  router = new Router();
  stop = router.start();
});
afterEach(() => stop());

/** Steps through the browser's history; jsdom does so a moment later. */
async function step(go: () => void): Promise<void> {
  const done = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  go();
  await done;
  await new Promise((resolve) => setTimeout(resolve));
}

describe("navigation", () => {
  it("limits replacements' rate and applies the last", async () => {
    const replaced = vi.spyOn(history, "replaceState");
    for (let at = 0; at <= 200; at++) {
      await router.navigate(`/wiki/p?rev=${String(at)}`, { replace: true });
      expect(router.url.search).toBe(`?rev=${String(at)}`);
    }
    expect(replaced.mock.calls.length).toBeLessThan(40);
    await vi.waitFor(() => expect(location.search).toBe("?rev=200"));
    replaced.mockRestore();
  });

  it("pushes from the current entry afterwards", async () => {
    for (let at = 0; at <= 30; at++) await router.navigate(`/wiki/p?rev=${String(at)}`, { replace: true });
    const { index } = history.state as { index: number };
    await router.navigate("/settings");
    expect(history.state).toMatchObject({ index: index + 1 });
    await step(() => history.back());
    expect(history.state).toMatchObject({ index });
    expect(location.search).toBe("?rev=30");
    expect(router.url.search).toBe("?rev=30");
  });

  it("stores view state rate-limited and before leaving", async () => {
    await router.navigate("/wiki/p");
    const { index } = history.state as { index: number };
    const replaced = vi.spyOn(history, "replaceState");
    for (let scroll = 0; scroll <= 200; scroll++) router.keep({ scroll });
    expect(replaced.mock.calls.length).toBeLessThan(40);
    await router.navigate("/settings");
    await step(() => history.back());
    expect(history.state).toMatchObject({ index, scroll: 200 });
    replaced.mockRestore();
  });

  it("stores no state of the replaced view", async () => {
    for (let at = 0; at <= 30; at++) await router.navigate(`/wiki/p?rev=${String(at)}`, { replace: true });
    router.keep({ scroll: 5 });
    await router.navigate("/wiki/q", { replace: true });
    await vi.waitFor(() => expect(location.pathname).toBe("/wiki/q"));
    expect(history.state).not.toHaveProperty("scroll");
  });

  it("stores no state while a guard decides", async () => {
    await router.navigate("/edit/a");
    router.beforeLeave(() => new Promise(() => {}));
    await step(() => history.back());
    router.keep({ scroll: 5 });
    expect(history.state).not.toHaveProperty("scroll");
  });

  it("changes the address and the route", async () => {
    expect(await router.navigate("/edit/旅/京都")).toBe(true);
    expect(location.pathname).toBe("/edit/%E6%97%85/%E4%BA%AC%E9%83%BD");
    expect(router.route).toEqual({ name: "edit", place: { path: "/旅/京都" } });
  });

  it("can be undone with the browser's own back", async () => {
    await router.navigate("/settings");
    await step(() => history.back());
    expect(router.route).toEqual({ name: "wiki", place: { path: "/", revision: null } });
  });

  it("that replaces the entry adds none", async () => {
    const before = history.length;
    await router.navigate("/settings", { replace: true });
    expect(history.length).toBe(before);
    expect(location.pathname).toBe("/settings");
  });

  it("never leaves the origin", async () => {
    await expect(router.navigate("https://example.com/")).rejects.toThrow("not an address of this page");
  });
});

describe("back and forward", () => {
  const ways = () => [router.canGoBack, router.canGoForward];

  it("reach all visited entries until a new one", async () => {
    expect(ways()).toEqual([false, false]);
    await router.navigate("/settings");
    await router.navigate("/pictures/");
    expect(ways()).toEqual([true, false]);
    await step(() => router.goBack());
    expect([router.url.pathname, ...ways()]).toEqual(["/settings", true, true]);
    await step(() => router.goBack());
    expect([router.url.pathname, ...ways()]).toEqual(["/wiki/", false, true]);
    await step(() => router.goForward());
    expect([router.url.pathname, ...ways()]).toEqual(["/settings", true, true]);
    await router.navigate("/bin");
    expect(ways()).toEqual([true, false]);
  });

  it("are unchanged by replacing the entry", async () => {
    await router.navigate("/settings", { replace: true });
    expect(ways()).toEqual([false, false]);
  });

  const reload = () => {
    stop();
    router = new Router();
    stop = router.start();
  };

  it("are the same after a reload", async () => {
    await router.navigate("/settings");
    reload();
    expect(ways()).toEqual([true, false]);
    await router.navigate("/bin");
    await step(() => router.goBack());
    reload();
    expect(ways()).toEqual([true, true]);
    // A navigation removes all entries after the current one, whatever the entry before it says.
    await router.navigate("/pictures/");
    await router.navigate("/pictures/?view=a", { replace: true });
    reload();
    expect(ways()).toEqual([true, false]);
    await step(() => router.goBack());
    await step(() => router.goForward());
    reload();
    expect([router.url.search, ...ways()]).toEqual(["?view=a", true, false]);
  });

  it("after a reload allow forward without a position", async () => {
    await router.navigate("/settings");
    history.replaceState({ index: 1 }, "");
    reload();
    expect(ways()).toEqual([true, true]);
    await router.navigate("/bin");
    expect(ways()).toEqual([true, false]);
  });

  it("respect guards", async () => {
    await router.navigate("/edit/a");
    const guard = vi.fn(() => false);
    router.beforeLeave(guard);
    await step(() => router.goBack());
    await vi.waitFor(() => expect(location.pathname).toBe("/edit/a"));
    expect(guard).toHaveBeenCalledOnce();
    expect([router.url.pathname, ...ways()]).toEqual(["/edit/a", true, false]);
  });

  it("keep state that a view has not stored", async () => {
    for (let at = 0; at <= 30; at++) await router.navigate(`/wiki/p?rev=${String(at)}`, { replace: true });
    await router.navigate("/settings");
    for (let at = 0; at <= 30; at++) await router.navigate(`/settings?at=${String(at)}`, { replace: true });
    await step(() => router.goBack());
    await step(() => router.goForward());
    expect(router.url.search).toBe("?at=30");
  });
});

describe("a guard", () => {
  it("prevents leaving", async () => {
    const remove = router.beforeLeave(() => false);
    expect(await router.navigate("/settings")).toBe(false);
    expect(location.pathname).toBe("/wiki/");
    remove();
    expect(await router.navigate("/settings")).toBe(true);
  });

  it("is skipped by a forced navigation", async () => {
    const guard = vi.fn(() => false);
    router.beforeLeave(guard);
    expect(await router.navigate("/settings", { force: true })).toBe(true);
    expect(guard).not.toHaveBeenCalled();
  });

  it("is skipped by a jump within the page", async () => {
    const guard = vi.fn(() => false);
    router.beforeLeave(guard);
    expect(await router.navigate("/wiki/#end")).toBe(true);
    expect(guard).not.toHaveBeenCalled();
    expect(location.hash).toBe("#end");
  });

  it("also prevents going back in the browser", async () => {
    await router.navigate("/edit/a");
    router.beforeLeave(() => Promise.resolve(false));
    await step(() => history.back());
    await vi.waitFor(() => expect(location.pathname).toBe("/edit/a"));
    expect(router.route).toEqual({ name: "edit", place: { path: "/a" } });
  });

  describe("that is pending during another step back", () => {
    let decide: (yes: boolean) => void;
    const guard = vi.fn(() => new Promise<boolean>((resolve) => (decide = resolve)));

    beforeEach(async () => {
      guard.mockClear();
      await router.navigate("/settings");
      await router.navigate("/pictures/");
      await router.navigate("/edit/a");
      router.beforeLeave(guard);
      await step(() => history.back());
      await step(() => history.back());
      expect(guard).toHaveBeenCalledOnce();
    });

    it("applies both steps when it allows leaving", async () => {
      decide(true);
      await vi.waitFor(() => expect(router.route).toEqual({ name: "settings", place: {} }));
      expect(location.pathname).toBe("/settings");
      await step(() => history.forward());
      decide(true);
      await vi.waitFor(() => expect(router.url.pathname).toBe("/pictures/"));
    });

    it("undoes both steps when refusing, then asks again", async () => {
      await step(() => decide(false));
      expect(location.pathname).toBe("/edit/a");
      expect(router.route).toEqual({ name: "edit", place: { path: "/a" } });
      await step(() => history.back());
      expect(guard).toHaveBeenCalledTimes(2);
      decide(true);
      await vi.waitFor(() => expect(router.url.pathname).toBe("/pictures/"));
    });

    it("is dropped after a step forward", async () => {
      await step(() => history.go(2));
      expect(location.pathname).toBe("/edit/a");
      decide(true);
      await vi.waitFor(() => expect(router.url.pathname).toBe("/pictures/"));
      expect(location.pathname).toBe("/pictures/");
    });
  });

  it("is asked once for repeated navigation", async () => {
    let decide: (yes: boolean) => void = () => {};
    const guard = vi.fn(() => new Promise<boolean>((resolve) => (decide = resolve)));
    router.beforeLeave(guard);
    const first = router.navigate("/settings");
    expect(await router.navigate("/pictures/")).toBe(false);
    decide(true);
    expect(await first).toBe(true);
    expect(guard).toHaveBeenCalledOnce();
    expect(location.pathname).toBe("/settings");
  });
});
