import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { StubHost } from "../../testing/stub-host";
import MergeDialog from "./MergeDialog.svelte";

it("a key puts the texts together, once all is chosen", async () => {
  const answer = vi.fn();
  const question = { mine: "Mine", theirs: "Theirs", conflicts: [{ mine: ["a"], theirs: ["b"] }], answer };
  render(MergeDialog, { question, host: new StubHost() });
  expect(screen.getByTestId("merge-done").getAttribute("aria-keyshortcuts")).toBe("Control+Enter");
  const press = () => fireEvent.keyDown(screen.getByTestId("merge"), { key: "Enter", ctrlKey: true });
  await press();
  expect(answer).not.toHaveBeenCalled();
  await userEvent.click(screen.getByTestId("merge-both"));
  await press();
  expect(answer).toHaveBeenCalledExactlyOnceWith(["both"]);
});
