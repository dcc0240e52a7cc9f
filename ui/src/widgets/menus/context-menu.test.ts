import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import ContextMenu from "./ContextMenu.svelte";

it.each(["[MouseLeft]", "[MouseRight]"])("%s outside returns the focus", async (keys) => {
  const opener = document.body.appendChild(document.createElement("button"));
  opener.focus();
  const onclose = vi.fn();
  const { unmount } = render(ContextMenu, { label: "Actions", items: [{ id: "a", label: "A", run: () => {} }], x: 0, y: 0, onclose });
  expect(document.activeElement).toBe(screen.getByRole("menuitem"));
  onclose.mockImplementation(unmount);
  await userEvent.pointer({ keys, target: screen.getByTestId("menu-shade") });
  expect(onclose).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(opener);
  opener.remove();
});
