// Listing signed-in browsers, and signing them out.
import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import type { Session } from "../api/sessions";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import SessionsSection from "./SessionsSection.svelte";

const SESSION: Session = {
  id: "S1",
  browser: "Firefox",
  system: "Linux",
  began_at: "2026-11-18T12:00:00Z",
  seen_at: "2026-11-18T13:00:00Z",
  ends_at: "2026-12-18T12:00:00Z",
  is_current: true,
  is_stored: true,
  is_window: false,
};
const OTHER: Session = { ...SESSION, id: "S2", browser: null, is_current: false };
const WINDOW: Session = { ...SESSION, id: "S3", is_current: false, is_stored: false, is_window: true };

async function open(...sessions: Session[]) {
  const backend = new FakeBackend();
  backend.sessionsNow = sessions;
  const host = new StubHost();
  const onsignedout = vi.fn();
  render(SessionsSection, { backend, host, onsignedout });
  await waitFor(() => expect(rows()).toHaveLength(sessions.length));
  return { backend, host, onsignedout };
}

function rows(): HTMLElement[] {
  return screen.queryAllByTestId("session");
}

it("lists browsers with their names, times and ends", async () => {
  await open(SESSION, OTHER, WINDOW);
  const [own, other, window] = rows().map((row) => row.textContent);
  expect(own).toContain("Firefox (Linux)");
  expect(own).toContain("This browser");
  expect(own).toMatch(/Signed in .*2026/);
  expect(other).toContain("Linux");
  expect(other).not.toContain("This browser");
  expect(window).toContain("Fumikura window");
  expect(window).toContain("Until Fumikura is closed");
  expect(screen.getAllByTestId("session-end")).toHaveLength(1);
});

it("signs one browser out", async () => {
  const { backend, host } = await open(SESSION, OTHER);
  screen.getByRole("button", { name: "Sign out Linux" }).click();
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(backend.sessions.end).toHaveBeenCalledExactlyOnceWith("S2");
  expect(host.toasts).toEqual(["Signed out 1 browser"]);
  expect(screen.queryByTestId("session-end-others")).toBeNull();
});

it("removes a session that has ended meanwhile", async () => {
  const { backend, host } = await open(SESSION, OTHER);
  backend.sessionsNow = [SESSION];
  backend.sessions.end.mockRejectedValueOnce(new ApiError("session_not_found", 404, ""));
  screen.getByTestId("session-end").click();
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(host.toasts).toEqual([]);
});

it("asks before it signs all others out", async () => {
  const { backend, host } = await open(SESSION, OTHER, WINDOW);
  host.confirmAnswer = false;
  screen.getByTestId("session-end-others").click();
  await waitFor(() => expect(host.questions).toHaveLength(1));
  expect(backend.sessions.endOthers).not.toHaveBeenCalled();
  host.confirmAnswer = true;
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("session-end-others").disabled).toBe(false));
  screen.getByTestId("session-end-others").click();
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(host.toasts).toEqual(["Signed out 1 browser"]);
});

it("signs this browser out and navigates away", async () => {
  const { backend, onsignedout } = await open(SESSION);
  screen.getByTestId("session-sign-out").click();
  await waitFor(() => expect(onsignedout).toHaveBeenCalledOnce());
  expect(backend.sessions.signOut).toHaveBeenCalledOnce();
});

it("a window offers no sign-out", async () => {
  await open({ ...WINDOW, is_current: true });
  expect(rows()[0]?.textContent).toContain("This window");
  expect(screen.queryByTestId("session-sign-out")).toBeNull();
});

it("explains a failure to sign out", async () => {
  const { backend, host, onsignedout } = await open(SESSION);
  backend.sessions.signOut.mockRejectedValueOnce(new ApiError("disk_full", 507, ""));
  screen.getByTestId("session-sign-out").click();
  await waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(onsignedout).not.toHaveBeenCalled();
});

it("offers a retry when the list can’t load", async () => {
  const backend = new FakeBackend();
  backend.sessionsNow = [SESSION];
  backend.fault = "internal";
  render(SessionsSection, { backend, host: new StubHost(), onsignedout: vi.fn() });
  const retry = await screen.findByTestId("retry");
  backend.fault = null;
  retry.click();
  await waitFor(() => expect(rows()).toHaveLength(1));
});
