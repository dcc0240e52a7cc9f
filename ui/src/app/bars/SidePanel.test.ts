import { render, screen } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

vi.mock("../../folders/view", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  loadFolders: () => Promise.reject(new ApiError("unreachable", 0, "")),
}));

let stop = () => {};
afterEach(() => stop());

it("offers a retry when the panel's code fails", async () => {
  history.replaceState(null, "", "/pictures/");
  const app = new App(new FakeBackend());
  stop = app.start();
  render(Frame, { app, first: { address: "/pictures/", page: null } });
  expect(await screen.findByTestId("side-retry")).toBeDefined();
  expect(screen.getByTestId("side-panel").textContent).toContain("Fumikura isn’t responding");
});
