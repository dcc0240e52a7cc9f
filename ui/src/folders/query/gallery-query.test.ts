// A picture that was opened from a gallery in a page is shown among the gallery's pictures, and closing it leads to the
// page.
import { screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import type { NavigateOptions } from "../../api/host";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { parsePicturesAddress, picturesAddress } from "./address";

const entry = (name: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({ name, kind, size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const GALLERY = "gallery=%2Fwiki%2Fgarden&sort=taken&order=desc&limit=2";

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("2026", "folder"), entry("a.jpg"), entry("notes.txt", "other"), entry("b.jpg"), entry("c.jpg")];
  host = new StubHost();
});
afterEach(() => history.replaceState(null, ""));

async function open(address: string) {
  const view = openPictures({ place: placeOf(address), backend, host });
  host.navigate = async (url: string, options?: NavigateOptions) => {
    host.visited.push(url);
    const place = parsePicturesAddress(new URL(url, "http://x"));
    if (options?.replace && place) await view.rerender({ place });
    return true;
  };
  await screen.findByTestId("viewer");
  return view;
}

const label = () => screen.getByTestId("viewer").getAttribute("aria-label");
const position = () => host.statusItems.find(({ id }) => id === "position")?.text;

it("steps through the gallery up to its limit", async () => {
  await open(`/pictures/R1/?view=a.jpg&${GALLERY}`);
  expect(backend.folders.list.mock.calls[0]?.[0]).toMatchObject({ sort: "taken", order: "desc", kind: "picture" });
  expect(backend.folders.list.mock.calls[0]?.[0]).not.toHaveProperty("most");
  await waitFor(() => expect(position()).toBe("Picture 1 of 2"));
  await host.press("j");
  await waitFor(() => expect([label(), position()]).toEqual(["b.jpg", "Picture 2 of 2"]));
  expect(host.visited.at(-1)).toBe(`/pictures/R1/?view=b.jpg&${GALLERY}`);
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("viewer-next").disabled).toBe(true));
  await host.press("j");
  expect(label()).toBe("b.jpg");
  await host.press("k");
  await waitFor(() => expect(label()).toBe("a.jpg"));
});

it("returns to the page, by history if possible", async () => {
  await open(`/pictures/R1/?view=a.jpg&${GALLERY}`);
  expect(screen.getByTestId("viewer-close").getAttribute("aria-label")).toContain("Back to page");
  await host.press("Escape");
  expect(host.visited).toEqual(["/wiki/garden"]);
  history.replaceState({ index: 1 }, "");
  const back = vi.spyOn(history, "back").mockImplementation(() => {});
  await host.press("Escape");
  expect(back).toHaveBeenCalledOnce();
  expect(host.visited).toHaveLength(1);
});

it("keeps a picture that was pushed out", async () => {
  await open(`/pictures/R1/?view=b.jpg&${GALLERY}`);
  await waitFor(() => expect(position()).toBe("Picture 2 of 2"));
  backend.entries = [entry("a.jpg"), entry("a2.jpg"), entry("b.jpg"), entry("c.jpg")];
  backend.emit("folder.changed", { root: "R1", path: "" });
  await waitFor(() => expect(position()).toBeUndefined());
  expect(label()).toBe("b.jpg");
  await host.press("k");
  await waitFor(() => expect(label()).toBe("a2.jpg"));
});

it("keeps its folder in the breadcrumbs", async () => {
  await open(`/pictures/R1/2026?view=a.jpg&filter=j&${GALLERY}`);
  expect(host.crumbs.map(({ href }) => href)).toEqual(["/pictures/R1/", "/pictures/R1/2026", undefined]);
});

it.each([
  ["gallery=https%3A%2F%2Fevil.example%2F&limit=2", undefined],
  ["gallery=%2F%2Fevil.example&limit=2", undefined],
  ["gallery=%2Fwiki%2Fa&limit=none", undefined],
  ["gallery=%2Fwiki%2Fa%3Frevision%3D2&limit=2", { page: "/wiki/a?revision=2", sort: "name", order: "asc", limit: 2 }],
  ["gallery=%2F&limit=5&sort=size&order=desc", { page: "/", sort: "size", order: "desc", limit: 5 }],
])("an address with %s names the gallery %j", (query, gallery) => {
  const place = placeOf(`/pictures/R1/2026?view=a.jpg&${query}`);
  expect(place.gallery).toEqual(gallery);
  if (gallery) expect(placeOf(picturesAddress("R1", place.path, place.view, place))).toEqual(place);
  expect(placeOf(`/pictures/R1/2026?${query}`).gallery).toBeUndefined();
});
