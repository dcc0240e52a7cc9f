import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

let server: FakeServer;

beforeEach(async () => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
  server.add("/a", "# Title\n\nfirst line\n\n## Part\n\nof it");
  server.add("/p", "[whole](/a) [part](/a#part) [none](/none)");
  render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host: new StubHost() });
  await screen.findByTestId("page-body");
  await vi.waitFor(() => expect(link("none").classList.contains("none")).toBe(true));
});

const link = (text: string) => screen.getByText<HTMLAnchorElement>(text, { selector: "a" });
const preview = () => screen.queryByTestId("link-preview");
const point = (text: string, pointerType = "mouse") => fireEvent(link(text), Object.assign(new MouseEvent("pointerover", { bubbles: true }), { pointerType }));
const shown = () => vi.waitFor(() => expect(preview()).not.toBeNull());
const patience = () => new Promise((resolve) => setTimeout(resolve, 700));

it("shows the title and the first lines", async () => {
  await point("whole");
  expect(preview()).toBeNull();
  await shown();
  expect(preview()?.querySelector("b")?.textContent).toBe("Title");
  expect(preview()?.querySelector("p")?.textContent).toBe("first line\nPart\nof it");
  expect(link("whole").getAttribute("aria-describedby")).toBe(preview()?.id);
});

it("shows the section that the link names", async () => {
  await point("part");
  await shown();
  expect(preview()?.textContent).toBe("Title › partPart\nof it");
});

it("Escape and leaving close it", async () => {
  await point("whole");
  await shown();
  await fireEvent.keyDown(document.body, { key: "Escape" });
  expect(preview()).toBeNull();
  await point("whole");
  await shown();
  await fireEvent(link("whole"), Object.assign(new MouseEvent("pointerout", { bubbles: true }), { pointerType: "mouse" }));
  await vi.waitFor(() => expect(preview()).toBeNull());
});

it("appears neither for touch nor for missing pages", async () => {
  await point("whole", "touch");
  await point("none");
  await patience();
  expect(preview()).toBeNull();
});
