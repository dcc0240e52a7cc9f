import { render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { expect, it, vi } from "vitest";
import Dialog from "./Dialog.svelte";

const children = createRawSnippet(() => ({
  render: () => `<form><input type="radio" name="a" disabled /><input type="radio" name="a" /><input type="radio" name="a" checked data-testid="checked" /><button>Go</button></form>`,
}));

it("an area that scrolls passes the focus on", () => {
  // As Chromium does in a low window.
  const showModal = vi.spyOn(HTMLDialogElement.prototype, "showModal").mockImplementation(function (this: HTMLDialogElement) {
    this.open = true;
    const form = this.querySelector("form");
    form?.setAttribute("tabindex", "-1");
    form?.focus();
    form?.removeAttribute("tabindex");
  });
  render(Dialog, { label: "Export", onclose: () => {}, children });
  showModal.mockRestore();
  expect(document.activeElement).toBe(screen.getByTestId("checked"));
});
