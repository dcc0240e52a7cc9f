import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { DeleteDialog } from "..";

it.each([
  ["{Enter}", false],
  ["{Control>}{Enter}{/Control}", true],
])("%s decides whether subpages are deleted too", async (keys, recursive) => {
  const ondelete = vi.fn();
  render(DeleteDialog, { path: "/p", subpages: 2, ondelete, onclose: () => {} });
  expect(screen.getByTestId("delete-all").getAttribute("aria-keyshortcuts")).toBe("Control+Enter");
  // The platform's own dialog focuses it.
  screen.getByTestId("delete-alone").focus();
  await userEvent.keyboard(keys);
  expect(ondelete).toHaveBeenCalledExactlyOnceWith(recursive);
});

it("every answer's tooltip shows its working key", async () => {
  const [ondelete, onclose] = [vi.fn(), vi.fn()];
  render(DeleteDialog, { path: "/p", subpages: 2, ondelete, onclose });
  const answers = screen.getAllByRole("button");
  expect(answers.map((button) => button.getAttribute("aria-keyshortcuts"))).toEqual(["Escape", "Enter", "Control+Enter"]);
  const [cancel] = answers;
  vi.useFakeTimers();
  await fireEvent.pointerEnter(cancel as HTMLElement);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(document.querySelector(".tooltip")?.textContent).toBe("Esc");
  await fireEvent(screen.getByTestId("delete-dialog"), new Event("cancel"));
  expect(onclose).toHaveBeenCalledOnce();
});

it("a held key does nothing", async () => {
  const ondelete = vi.fn();
  render(DeleteDialog, { path: "/p", subpages: 2, ondelete, onclose: () => {} });
  expect(await fireEvent.keyDown(screen.getByTestId("delete-alone"), { key: "Enter", ctrlKey: true, repeat: true })).toBe(false);
  expect(ondelete).not.toHaveBeenCalled();
});
