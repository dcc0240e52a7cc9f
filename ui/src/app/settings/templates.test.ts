import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { fail } from "../../testing/server";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { routes } from "../routes";

let stop = () => {};

// The loading time of the code is not tested.
beforeAll(async () => void (await routes.settings.load?.()));
afterEach(() => stop());

it("a refused daily-note path is explained", async () => {
  history.replaceState(null, "", "/settings");
  const backend = new FakeBackend();
  const app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  const field = await screen.findByTestId("daily-path");
  backend.once("PATCH /api/settings", () => fail("invalid_value"));
  await userEvent.clear(field);
  await userEvent.type(field, "../notes{Enter}");
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(field.parentElement?.textContent).toContain("with a date of year, month and day, such as /daily/{{date:YYYY-MM-DD}}");
});
