// Adding the pictures of a folder to albums and favourites.
import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { AlbumInfo } from "../api/albums";
import type { FolderEntry } from "../api/backend";
import { FakeBackend } from "../testing/fake-backend";
import { openPictures, placeOf } from "../testing/pictures-view";
import { StubHost } from "../testing/stub-host";

const picture = (name: string): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const album = (id: string, name: string, count: number, is_favourites = false): AlbumInfo => ({ id, name, is_favourites, created_at: "2026-11-20T00:00:00Z", count, cover: null });

let backend: FakeBackend;
let host: StubHost;
/** The paths of the pictures in each album. */
let contents: Map<string, string[]>;
/** The path of the chosen cover of the favourites. */
let cover: string | null;

const pathsIn = (body: unknown, field: "items" | "places" = "items") => (body as Record<string, { path: string }[]>)[field]?.map(({ path }) => path) ?? [];

function add(id: string, paths: readonly string[], next?: string | null) {
  const before = contents.get(id) ?? [];
  const added = paths.filter((path) => !before.includes(path));
  contents.set(id, before.toSpliced(next ? before.indexOf(next) : before.length, 0, ...added));
  return { added: added.length, album: album(id, id === "F" ? "♥" : "旅", before.length + added.length, id === "F") };
}

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [picture("a.jpg"), picture("b.jpg")];
  contents = new Map([["T", []]]);
  cover = null;
  backend.on("GET /api/albums/{id}", ({ path: { id } }) => {
    const paths = contents.get(id) ?? [];
    const shown = cover !== null && paths.includes(cover) ? cover : paths[0];
    return {
      album: { ...album(id, "", paths.length), cover: shown === undefined ? null : { root: "R1", path: shown } },
      pictures: paths.map((path) => ({ item: path, state: "present" as const, name: path, path: `/photos/${path}`, root: "R1", entry: picture(path) })),
    };
  });
  backend.on("PUT /api/albums/{id}", ({ path, body }) => {
    cover = body.cover ?? null;
    return album(path.id, "", 0);
  });
  backend.on("GET /api/albums", () => [album("T", "旅", 0)]);
  backend.on("POST /api/albums", ({ body }) => album("N", body.name, add("N", pathsIn(body)).added));
  backend.on("DELETE /api/albums/{id}", ({ path }) => void contents.delete(path.id));
  backend.on("POST /api/albums/{id}/pictures", ({ path, body }) => add(path.id, pathsIn(body), body.before));
  backend.on("POST /api/albums/favourites", ({ body }) => add("F", pathsIn(body)));
  backend.on("POST /api/albums/{id}/remove", ({ path, body }) => {
    const removed = [...(body.items ?? []), ...pathsIn(body, "places")];
    contents.set(path.id, (contents.get(path.id) ?? []).filter((one) => !removed.includes(one)));
    return album(path.id, "", 0);
  });
  host = new StubHost();
});

async function open(address: string) {
  openPictures({ place: placeOf(address), backend, host });
  await screen.findAllByTestId("cell");
}

it("a picture is added and taken out again", async () => {
  await open("/pictures/R1/?view=b.jpg");
  await host.act("album-add");
  await userEvent.click(await screen.findByTestId("album-choice"));
  await userEvent.click(screen.getByTestId("album-add-take"));
  await waitFor(() => expect(contents.get("T")).toEqual(["b.jpg"]));
  await waitFor(() => expect(host.toasts).toEqual(["Added 1 picture to 旅"]));
  await host.open[0]?.options.undo?.();
  expect(contents.get("T")).toEqual([]);
});

it("creates an album of the pictures", async () => {
  await open("/pictures/R1/?view=a.jpg");
  await host.act("album-add");
  await userEvent.click(await screen.findByTestId("album-choice-new"));
  expect(screen.getByTestId("album-add-take")).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByTestId("album-name"), "海{Enter}");
  await waitFor(() => expect(contents.get("N")).toEqual(["a.jpg"]));
  await waitFor(() => expect(host.toasts).toEqual(["Added 1 picture to 海"]));
});

it("a second press removes a favourite", async () => {
  await open("/pictures/R1/?view=a.jpg");
  await host.act("album-favourite");
  await waitFor(() => expect(host.toasts).toEqual(["Added 1 picture to Favourites"]));
  await host.act("album-favourite");
  await waitFor(() => expect(contents.get("F")).toEqual([]));
  await waitFor(() => expect(host.toasts.at(-1)).toBe("Removed 1 picture from the favourites"));
  await host.open.at(-1)?.options.undo?.();
  expect(contents.get("F")).toEqual(["a.jpg"]);
});

it("undo takes out what was added alone", async () => {
  contents.set("T", ["a.jpg"]);
  await open("/pictures/R1/");
  await host.press("Mod+a");
  await waitFor(() => expect(host.statusItems[0]?.text).toContain("2 selected"));
  await host.act("album-add");
  await userEvent.click(await screen.findByTestId("album-choice"));
  await userEvent.click(screen.getByTestId("album-add-take"));
  await waitFor(() => expect(host.toasts).toEqual(["Added 1 picture to 旅"]));
  expect(contents.get("T")).toEqual(["a.jpg", "b.jpg"]);
  await host.open[0]?.options.undo?.();
  expect(contents.get("T")).toEqual(["a.jpg"]);
});

it("a removed favourite goes back to its place", async () => {
  contents.set("F", ["x.jpg", "a.jpg", "y.jpg"]);
  cover = "a.jpg";
  await open("/pictures/R1/?view=a.jpg");
  await host.act("album-favourite");
  await waitFor(() => expect(contents.get("F")).toEqual(["x.jpg", "y.jpg"]));
  cover = null;
  await waitFor(() => expect(host.open).toHaveLength(1));
  await host.open[0]?.options.undo?.();
  expect(contents.get("F")).toEqual(["x.jpg", "a.jpg", "y.jpg"]);
  expect(cover).toBe("a.jpg");
});
