import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

let server: FakeServer;

beforeEach(() => {
  document.body.replaceChildren();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
});

async function open() {
  const folders = new FakeBackend();
  folders.rootsNow = [{ id: "R1", name: "Pictures", path: "/pictures", available: true }];
  folders.entries = ["a.jpg", "b.jpg"].map((name) => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: name }));
  const backend = { ...server.backend, folders: folders.folders, roots: folders.roots };
  const onkeep = vi.fn((state: object) => history.replaceState({ ...(history.state as object), ...state }, ""));
  const room = render(WikiView, { path: "/p", revision: null, preloaded: null, backend, host: new StubHost(), onkeep });
  const body = await screen.findByTestId("page-body");
  return { ...room, link: (selector: string, index = 0) => body.querySelectorAll<HTMLElement>(selector)[index] };
}

/** Leaves the page by a link, and goes back. */
async function visitAndReturn(selector: string, index: number) {
  const { link, unmount } = await open();
  await waitFor(() => expect(link(selector, index)).toBeDefined());
  const pressed = link(selector, index);
  if (pressed === undefined) throw new Error("no link");
  await fireEvent.click(pressed);
  unmount();
  return (await open()).link;
}

const GALLERY = "```gallery\nfolder: Pictures\n```";

it("going back from a gallery's picture focuses it", async () => {
  server.add("/p", GALLERY);
  const link = await visitAndReturn(".gallery li a", 1);
  await waitFor(() => expect(document.activeElement?.getAttribute("title")).toBe("b.jpg"));
  expect(document.activeElement).toBe(link(".gallery li a", 1));
});

it("going back from a page focuses its link", async () => {
  server.add("/p", "[one](/q) and [again](/q)");
  const link = await visitAndReturn("a", 1);
  await waitFor(() => expect(document.activeElement).toBe(link("a", 1)));
});

it("a late gallery does not move the focus", async () => {
  server.add("/p", `[one](/q)\n\n${GALLERY}`);
  const link = await visitAndReturn(".gallery li a", 1);
  link("a")?.focus();
  await waitFor(() => expect(link(".gallery li a", 1)).toBeDefined());
  expect(document.activeElement).toBe(link("a"));
});
