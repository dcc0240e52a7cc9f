import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { NO_COUNTS } from "../../testing/expiry";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { routes } from "../routes";

it("the settings warn of days without successful expiry", async () => {
  history.replaceState(null, "", "/settings");
  const backend = new FakeBackend();
  backend.expiry.now = { ...backend.expiry.now, overdue: true };
  const app = new App(backend);
  const stop = app.start();
  await routes.settings.load?.();
  render(Frame, { app, first: { address: "/settings", page: null } });
  expect((await screen.findByTestId("cache-overdue")).textContent).toBe("No expiry run has succeeded yet.");
  stop();
});

it("the status bar's expiry warning opens the cache", async () => {
  history.replaceState(null, "", "/settings");
  const backend = new FakeBackend();
  backend.expiry.now = { ...backend.expiry.now, counts: { ...NO_COUNTS, error_blobs: 2, error_manifests: 1 } };
  const app = new App(backend);
  const stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  const warning = await screen.findByTestId("status-expiry");
  expect([warning.textContent.trim(), warning.getAttribute("href")]).toEqual([expect.stringContaining("3 expired items couldn’t be removed"), "/cache"]);
  backend.emit("ttl.run", { counts: NO_COUNTS });
  await waitFor(() => expect(screen.queryByTestId("status-expiry")).toBeNull());
  stop();
});
