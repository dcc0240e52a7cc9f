import { render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { canonicalPath } from "../../api/names";
import { thumbProps } from "../../testing/thumb-props";
import Cell from "./Cell.svelte";

const { folders, isCalm, isVisible, entry } = thumbProps;
const props = { folders, isCalm, isVisible, entry, root: "R1", path: canonicalPath("2026"), thumbnail: 192 };
const badge = () => screen.queryByTestId("partial-badge")?.textContent ?? null;

it("marks a truncated picture unless it is hidden", async () => {
  const { rerender } = render(Cell, props);
  expect(badge()).toBeNull();
  await rerender({ entry: { ...entry, is_incomplete: true } });
  expect(badge()).toBe("Only part of this picture can be shown: its end is missing.");
  await rerender({ entry: { ...entry, is_incomplete: true, state: "undecodable" } });
  expect(badge()).toBeNull();
});
