import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import Retry from "./Retry.svelte";

it("a retry button passes its focus on when it disappears", async () => {
  const before = document.body.appendChild(document.createElement("button"));
  before.focus();
  const { unmount } = render(Retry, { onretry: () => {} });
  screen.getByTestId("retry").focus();
  unmount();
  await waitFor(() => expect(document.activeElement).toBe(before));
  before.remove();
});
