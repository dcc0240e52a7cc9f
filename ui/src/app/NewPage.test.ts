import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeBackend } from "../testing/fake-backend";
import { App } from "./app.svelte";
import Frame from "./Frame.svelte";

let stop = () => {};
beforeEach(async () => {
  history.replaceState(null, "", "/settings");
  const app = new App(new FakeBackend());
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await userEvent.click(await screen.findByTestId("new-page"));
});
afterEach(() => stop());

it.each([
  ["{Enter}", "Enter a title"],
  [" {Enter}", "Enter a title"],
  ["/{Enter}", "the top page"],
  ["//{Enter}", "the top page"],
])("%j begins no page, and it is said why", async (typed, words) => {
  await userEvent.type(screen.getByTestId("new-page-path"), typed);
  expect(screen.getByTestId("new-page-dialog").textContent).toContain(words);
  expect(location.pathname).toBe("/settings");
});

it("a title begins a page", async () => {
  await userEvent.type(screen.getByTestId("new-page-path"), "garden{Enter}");
  expect(location.pathname).toBe("/edit/garden");
});
