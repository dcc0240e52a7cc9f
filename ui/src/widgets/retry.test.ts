import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import Retry from "./Retry.svelte";

it("a button that tries again hands its focus on when it goes", async () => {
  const before = document.body.appendChild(document.createElement("button"));
  before.focus();
  const { unmount } = render(Retry, { onretry: () => {} });
  screen.getByTestId("retry").focus();
  unmount();
  await waitFor(() => expect(document.activeElement).toBe(before));
  before.remove();
});
