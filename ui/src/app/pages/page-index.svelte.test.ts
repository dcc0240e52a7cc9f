import { flushSync } from "svelte";
import { expect, it, vi } from "vitest";
import { Roots } from "../../folders/roots/roots.svelte";
import { FakeBackend } from "../../testing/fake-backend";
import { PageIndex } from "./page-index.svelte";

/** Ensures a list in an effect, as a panel does, while no answer comes, and returns the number of requests. */
async function countRequests(list: { ensure(): void; state: string }, spy: { mock: { calls: unknown[] } }): Promise<number> {
  const stop = $effect.root(() => {
    $effect(() => list.ensure());
  });
  flushSync();
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve();
    flushSync();
  }
  stop();
  expect(list.state).toBe("failed");
  return spy.mock.calls.length;
}

it("an unreadable list of pages is requested once", async () => {
  const backend = new FakeBackend();
  const spy = vi.spyOn(backend.pages, "list").mockRejectedValue(new Error("no answer"));
  expect(await countRequests(new PageIndex(backend), spy)).toBe(1);
});

it("an unreadable list of folders is requested once", async () => {
  const backend = new FakeBackend();
  const spy = vi.spyOn(backend.roots, "list").mockRejectedValue(new Error("no answer"));
  expect(await countRequests(new Roots(backend), spy)).toBe(1);
});

it("a template is listed by its name", async () => {
  const backend = new FakeBackend();
  const last_update = { revision: 1, timestamp: "2026-11-20T09:00:00Z", user_name: "Aya" };
  const page = (path: string, title: string) => ({ page_id: path, path, title, deleted: false, last_update });
  backend.pagesNow = [page("/other", "About {{title}}"), page("/templates/day", "{{date}}"), page("/templates/task", "Task")];
  const index = new PageIndex(backend);
  await index.read();
  expect(index.items.map(({ title }) => title)).toEqual(["About {{title}}", null, "Task"]);
});
