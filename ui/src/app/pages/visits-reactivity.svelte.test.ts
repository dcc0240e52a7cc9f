import { flushSync } from "svelte";
import { expect, it, vi } from "vitest";
import { Visits } from "./visits.svelte";

it("an effect that notes a visit runs once", () => {
  const visit = vi.fn(() => Promise.resolve());
  const visits = new Visits({ visits: () => Promise.resolve([]), visit });
  let runs = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      runs += 1;
      visits.note({ page_id: "P", path: "/" });
    });
  });
  flushSync();
  stop();
  expect(runs).toBe(1);
  expect(visits.ids).toEqual(["P"]);
});
