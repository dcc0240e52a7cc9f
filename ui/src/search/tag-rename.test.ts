import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { FakeServer } from "../testing/fake-server";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import { tagOfQuery } from "./query";
import TagRenameDialog from "./TagRenameDialog.svelte";

function open() {
  const server = new FakeServer();
  const host = new StubHost();
  const onclose = vi.fn();
  server.on("POST /api/tags/rename", () => ({ pages: [{ page_id: "P1", revision: 2 }] }));
  server.on("POST /api/tags/rename/undo", () => undefined);
  const { rerender } = render(TagRenameDialog, { tag: "旅", backend: server.backend, host, onclose });
  return { server, host, onclose, rerender };
}

async function rename(name: string) {
  const field = screen.getByTestId("tag-rename-name");
  await userEvent.clear(field);
  await userEvent.type(field, `${name}{Enter}`);
}

it("renames a tag, and leads to its pages", async () => {
  const { server, host, onclose } = open();
  await rename("#trip");
  await vi.waitFor(() => expect(host.visited).toEqual(["/search?q=tag%3Atrip"]));
  expect(server.sent("POST /api/tags/rename").map(({ body }) => body)).toEqual([{ from: "旅", to: "trip" }]);
  expect(host.toasts).toEqual(["Renamed in 1 page"]);
  expect(onclose).toHaveBeenCalledOnce();
});

it("undo leads back to the old tag", async () => {
  const { server, host, rerender } = open();
  await rename("trip");
  await vi.waitFor(() => expect(host.open).toHaveLength(1));
  await rerender({ tag: "trip" });
  await host.open[0]?.options.undo?.();
  expect(server.sent("POST /api/tags/rename/undo")).toHaveLength(1);
  expect(host.visited.at(-1)).toBe("/search?q=tag%3A%E6%97%85");
});

it("a refused rename keeps the dialog", async () => {
  const { server, onclose } = open();
  server.on("POST /api/tags/rename", () => fail("invalid_tag"));
  await rename("1");
  await vi.waitFor(() => expect(screen.getByTestId("tag-rename-name").getAttribute("aria-invalid")).toBe("true"));
  expect(onclose).not.toHaveBeenCalled();
});

it.each([
  ["tag:旅/京都", "旅/京都"],
  ['tag:"a b"', "a b"],
  ["tag:a b", null],
  ["a tag:b", null],
])("the tag that %j lists", (query, tag) => expect(tagOfQuery(query)).toBe(tag));
