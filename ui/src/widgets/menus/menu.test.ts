import Ellipsis from "@lucide/svelte/icons/ellipsis";
import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import Menu from "./Menu.svelte";

it.each([
  ["fits", 20, 300, ""],
  ["is cut at its start", -40, 240, "44px"],
  ["is cut at its end", 100, 380, "-44px"],
  ["is wider than its room", -40, 380, "44px"],
])("a menu that %s moves into view", async (_, left, right, translate) => {
  const { container } = render(Menu, { label: "More", icon: Ellipsis, items: [{ id: "a", label: "A", run: () => {} }] });
  container.style.overflowX = "hidden";
  container.getBoundingClientRect = () => new DOMRect(0, 0, 340, 400);
  const boxes = vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(left, 0, right - left, 100));
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  boxes.mockRestore();
  expect(screen.getByRole("menu").parentElement?.style.translate).toBe(translate);
});
