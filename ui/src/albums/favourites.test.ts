import { expect, it, vi } from "vitest";
import { encodePath } from "../api/names";
import { FakeBackend } from "../testing/fake-backend";
import { Favourites } from "./favourites.svelte";

const place = (path: string) => ({ root: "R1", path: encodePath(path) });

function favourites(names: string[]) {
  const album = { id: "A1", name: "Favourites", is_favourites: true, created_at: "2026-11-01T00:00:00Z", count: names.length };
  const entry = (name: string) => ({ name, kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", folder: "2026" });
  const pictures = names.map((name) => ({ item: name, name, path: `/photos/2026/${name}`, state: "present" as const, root: "R1", entry: entry(name) }));
  return { album, pictures };
}

it("follows the album of favourites until its end", async () => {
  const backend = new FakeBackend();
  let now = favourites(["a b.jpg"]);
  backend.on("GET /api/albums", () => [{ ...now.album, id: "A0", is_favourites: false }, now.album]);
  backend.on("GET /api/albums/{id}", () => now);
  const marks = new Favourites(backend);
  const stop = marks.follow();
  await vi.waitFor(() => expect(marks.has(place("2026/a b.jpg"))).toBe(true));
  expect(marks.has(place("a b.jpg"))).toBe(false);
  now = favourites(["c.jpg"]);
  backend.emit("albums.changed", {});
  await vi.waitFor(() => expect(marks.has(place("2026/c.jpg"))).toBe(true));
  expect(marks.has(place("2026/a b.jpg"))).toBe(false);
  const requests = backend.sent("GET /api/albums").length;
  stop();
  backend.emit("albums.changed", {});
  expect(backend.sent("GET /api/albums")).toHaveLength(requests);
});

it("reads no contents without favourites", async () => {
  const backend = new FakeBackend();
  const stop = new Favourites(backend).follow();
  await vi.waitFor(() => expect(backend.sent("GET /api/albums")).toHaveLength(1));
  expect(backend.sent("GET /api/albums/{id}")).toEqual([]);
  stop();
});
