import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import RevisionSlider from "./RevisionSlider.svelte";

async function moved(handle: "slider-from" | "slider-to", to: string) {
  const onchoose = vi.fn();
  render(RevisionSlider, { oldest: 1, latest: 9, pair: { from: 3, to: 6 }, onchoose });
  const input = screen.getByTestId<HTMLInputElement>(handle);
  input.value = to;
  await fireEvent.input(input);
  return { chosen: onchoose.mock.lastCall?.[0] as unknown, at: input.value };
}

it.each([
  ["slider-from", "1", { from: 1, to: 6 }],
  ["slider-from", "5", { from: 5, to: 6 }],
  ["slider-to", "9", { from: 3, to: 9 }],
  ["slider-to", "4", { from: 3, to: 4 }],
] as const)("%s at %s chooses %o", async (handle, to, pair) => {
  expect((await moved(handle, to)).chosen).toEqual(pair);
});

it.each([
  ["slider-from", "8", { from: 5, to: 6 }, "5"],
  ["slider-to", "2", { from: 3, to: 4 }, "4"],
] as const)("%s never passes the other handle", async (handle, to, pair, at) => {
  expect(await moved(handle, to)).toEqual({ chosen: pair, at });
});
