import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import Retry from "./Retry.svelte";

it("a disappearing retry button passes on its focus", async () => {
  const before = document.body.appendChild(document.createElement("button"));
  before.focus();
  const { unmount } = render(Retry, { onretry: () => {} });
  screen.getByTestId("retry").focus();
  unmount();
  await waitFor(() => expect(document.activeElement).toBe(before));
  before.remove();
});
