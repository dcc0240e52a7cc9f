import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { StubHost } from "../../testing/stub-host";
import MergeDialog from "./MergeDialog.svelte";

function open() {
  const answer = vi.fn();
  const question = { mine: "Mine", theirs: "Theirs", conflicts: [{ mine: ["a"], theirs: ["b"] }], answer };
  render(MergeDialog, { question, host: new StubHost() });
  return answer;
}

it("Escape changes neither text, as its button shows", async () => {
  const answer = open();
  const cancel = screen.getByText("Cancel");
  expect(cancel.getAttribute("aria-keyshortcuts")).toBe("Escape");
  await fireEvent(screen.getByTestId("merge"), new Event("cancel", { cancelable: true }));
  expect(answer).toHaveBeenCalledExactlyOnceWith(null);
  await userEvent.click(cancel);
  expect(answer.mock.calls).toEqual([[null], [null]]);
});

it("a key merges once every conflict is chosen", async () => {
  const answer = open();
  expect(screen.getByTestId("merge-done").getAttribute("aria-keyshortcuts")).toBe("Control+Enter");
  const press = () => fireEvent.keyDown(screen.getByTestId("merge"), { key: "Enter", ctrlKey: true });
  await press();
  expect(answer).not.toHaveBeenCalled();
  await userEvent.click(screen.getByTestId("merge-both"));
  await press();
  expect(answer).toHaveBeenCalledExactlyOnceWith(["both"]);
});
