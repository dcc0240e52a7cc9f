import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
  host = new StubHost();
});

function open() {
  render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host });
}

const box = (name: string) => screen.findByRole("checkbox", { name });

it("a press changes one mark and saves it", async () => {
  const page = server.add("/p", "- [ ] 三脚\n- [ ] 電池");
  open();
  (await box("電池")).click();
  await vi.waitFor(() => expect(page.source).toMatchObject({ text: "- [ ] 三脚\n- [x] 電池", revision: 2 }));
  await vi.waitFor(async () => expect((await box("電池")).getAttribute("aria-checked")).toBe("true"));
  expect(page.token).toBeNull();
  expect(host.toasts).toEqual([]);
});

it("space does the same, and the focus stays", async () => {
  const page = server.add("/p", "- [x] a");
  open();
  (await box("a")).focus();
  await userEvent.keyboard(" ");
  await vi.waitFor(() => expect(page.source?.text).toBe("- [ ] a"));
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole("checkbox")));
});

it("a held space changes it once", async () => {
  server.add("/p", "- [ ] a");
  open();
  expect(await fireEvent.keyDown(await box("a"), { key: " ", repeat: true })).toBe(false);
  expect((await box("a")).getAttribute("aria-checked")).toBe("false");
});

it("several at once are saved in turn", async () => {
  const page = server.add("/p", "- [ ] a\n- [ ] b\n- [ ] c");
  open();
  for (const name of ["a", "b", "c"]) (await box(name)).click();
  await vi.waitFor(() => expect(page.source?.text).toBe("- [x] a\n- [x] b\n- [x] c"));
  expect(host.toasts).toEqual([]);
});

it("does not change a page another user edits", async () => {
  const page = server.add("/p", "- [ ] a");
  await server.backend.locks.acquire(page.id);
  open();
  (await box("a")).click();
  await vi.waitFor(() => expect(host.toasts.join()).toContain("Ben"));
  expect((await box("a")).getAttribute("aria-checked")).toBe("false");
  expect(page.source).toMatchObject({ text: "- [ ] a", revision: 1 });
});

it("shows a changed page without changing it", async () => {
  const page = server.add("/p", "- [ ] a");
  open();
  const old = await box("a");
  server.overwrite(page, "- [ ] new\n- [ ] a", "Ben");
  old.click();
  await box("new");
  expect(host.toasts).toHaveLength(1);
  expect(page.source).toMatchObject({ text: "- [ ] new\n- [ ] a", revision: 2 });
  expect(page.token).toBeNull();
});

it("queued presses apply to the text then shown", async () => {
  const page = server.add("/p", "- [ ] a\n- [ ] b");
  server.on("PUT /api/pages/{page_id}/source", async (_, next) => {
    const saved = await next();
    server.overwrite(page, "- [ ] new\n- [ ] other\n- [x] a\n- [ ] b", "Ben");
    return saved;
  });
  open();
  for (const name of ["a", "b"]) (await box(name)).click();
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(page.source).toMatchObject({ text: "- [ ] new\n- [ ] other\n- [x] a\n- [ ] b", revision: 3 });
  expect((await box("other")).getAttribute("aria-checked")).toBe("false");
  expect(page.token).toBeNull();
});

it("unsaved text of this tab survives a tick", async () => {
  const page = server.add("/p", "- [ ] a");
  await server.backend.autosave.put(page.id, "tab", { path: "/p", base_revision: 1, source: "unsaved", seq: 1 });
  open();
  (await box("a")).click();
  await vi.waitFor(() => expect(page.source?.revision).toBe(2));
  expect(server.entries).toHaveLength(1);
});

it("releases the lock when saving fails", async () => {
  const page = server.add("/p", "- [ ] a");
  server.on("PUT /api/pages/{page_id}/source", () => fail("internal"));
  open();
  (await box("a")).click();
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(page.token).toBeNull();
  expect(page.source?.text).toBe("- [ ] a");
});
