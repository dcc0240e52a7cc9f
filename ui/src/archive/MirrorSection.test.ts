import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import type { MirrorState } from "../api/backend";
import { setLocale } from "../i18n";
import { FakeBackend, fakeDesktop, NO_MIRROR } from "../testing/fake-backend";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import MirrorSection from "./MirrorSection.svelte";

let server: FakeBackend;
let host: StubHost;
let state: MirrorState;

const ON: MirrorState = { ...NO_MIRROR, folder: "/home/aya/mirror", is_on: true, updated_at: "2026-11-20T12:00:00Z", pages: 3, files: 1 };

beforeEach(() => {
  setLocale("en");
  server = new FakeBackend();
  host = new StubHost();
  state = NO_MIRROR;
  server.on("GET /api/mirror", () => state);
});

const open = () => render(MirrorSection, { backend: server, host });

it("chooses a folder in the window alone", async () => {
  open();
  expect((await screen.findByTestId("mirror")).textContent).toContain("fumi mirror set FOLDER");
  expect(screen.queryByTestId("mirror-choose")).toBeNull();
});

it("a chosen folder is shown with its state", async () => {
  server.desktop = fakeDesktop({ pickFolder: () => Promise.resolve({ grant: "G1", name: "mirror" }) });
  server.once("PUT /api/mirror", () => fail("folder_not_empty"));
  open();
  await screen.findByTestId("mirror-choose");
  await host.press("m");
  expect(host.toasts[0]).toContain("The folder has other files");
  server.on("PUT /api/mirror", () => ON);
  await host.press("m");
  expect(server.sent("PUT /api/mirror")[1]?.body).toEqual({ grant: "G1" });
  const updated = await screen.findByTestId("mirror-updated");
  expect(updated.textContent).toContain("3 pages and 1 file");
  expect(screen.getByTestId("mirror").textContent).toContain("/home/aya/mirror");
});

it("is switched off, and ended", async () => {
  state = ON;
  server.on("PUT /api/mirror/switch", ({ body }) => (state = { ...ON, is_on: body.is_on }));
  open();
  await fireEvent.click(await screen.findByTestId("mirror-on"));
  await waitFor(() => expect(screen.queryByTestId("mirror-updated")).toBeNull());
  expect(server.sent("PUT /api/mirror/switch")[0]?.body).toEqual({ is_on: false });
  server.on("DELETE /api/mirror", () => void (state = NO_MIRROR));
  await fireEvent.click(screen.getByTestId("mirror-forget"));
  await waitFor(() => expect(screen.queryByTestId("mirror-forget")).toBeNull());
});

it("shows failures and files edited outside", async () => {
  state = { ...ON, failure: "not_connected", outside: [{ entry: "pages/a.md", kind: "edited", page_id: "P1" }] };
  open();
  expect((await screen.findByTestId("mirror-failure")).textContent).toContain("isn’t connected");
  expect(screen.getByTestId("mirror-look").getAttribute("href")).toBe("/mirror");
  state = ON;
  server.emit("mirror.changed", {});
  await waitFor(() => expect(screen.queryByTestId("mirror-look")).toBeNull());
  expect(screen.queryByTestId("mirror-failure")).toBeNull();
});
