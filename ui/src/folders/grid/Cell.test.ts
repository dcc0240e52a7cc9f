import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
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

it("shows a favourite, and the mouse changes it", async () => {
  const presses = vi.fn();
  const favourites = { has: vi.fn(() => true), toggle: vi.fn() };
  const { container, rerender } = render(Cell, { ...props, favourites });
  for (const name of ["pointerdown", "click", "dblclick"]) container.addEventListener(name, presses);
  expect(screen.getByTestId("heart").ariaLabel).toBe("Favourite");
  await fireEvent.pointerDown(screen.getByTestId("heart"));
  await fireEvent.click(screen.getByTestId("heart"));
  expect(favourites.toggle).toHaveBeenCalledExactlyOnceWith(entry);
  expect(presses).not.toHaveBeenCalled();
  await rerender({ favourites: { has: () => false, toggle: vi.fn() } });
  expect(screen.queryByTestId("heart")).toBeNull();
  await fireEvent.pointerEnter(container.querySelector(".cell") as HTMLElement, { pointerType: "mouse" });
  await waitFor(() => expect(screen.getByTestId("heart").ariaPressed).toBe("false"));
});
