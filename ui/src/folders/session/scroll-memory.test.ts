// Returning to a folder restores the position, independent of the way there and back.
import { screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";

const entry = (at: number): FolderEntry => ({ name: `${String(at).padStart(3, "0")}.jpg`, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${at}` });

let backend: FakeBackend;
/** A separate folder for each test, as remembered positions outlive a test. */
let folder: string;
let tests = 0;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = Array.from({ length: 300 }, (_, at) => entry(at));
  folder = `/pictures/R1/${(tests += 1)}`;
});

async function open(address = folder) {
  const view = openPictures({ place: placeOf(address), backend });
  await screen.findAllByTestId("cell");
  return view;
}

const grid = () => screen.getByTestId("grid");
function scrollTo(top: number) {
  grid().scrollTop = top;
  grid().dispatchEvent(new Event("scroll"));
}
const reached = () => document.querySelector<HTMLElement>("[role=gridcell][tabindex='0']")?.dataset["name"];
const cell = (name: string) => screen.getAllByTestId("cell").find((one) => one.dataset["name"] === name) as HTMLElement;

describe("the scroll position of a folder", () => {
  it("is kept while another folder is open", async () => {
    const view = await open();
    scrollTo(3_000);
    await view.rerender({ place: placeOf("/pictures/R1/elsewhere") });
    await waitFor(() => expect(grid().scrollTop).toBe(0));
    await view.rerender({ place: placeOf(folder) });
    await waitFor(() => expect(grid().scrollTop).toBe(3_000));
    // The keyboard continues from the cell at the top.
    const first = reached();
    expect(Number.parseInt(first ?? "", 10)).toBeGreaterThan(50);
    cell(first ?? "").focus();
    expect(grid().scrollTop).toBe(3_000);
  });

  it("is kept during other views", async () => {
    const view = await open();
    scrollTo(2_000);
    scrollTo(2_500);
    view.unmount();
    await open();
    await waitFor(() => expect(grid().scrollTop).toBe(2_500));
  });

  it("follows a later focus", async () => {
    const view = await open();
    scrollTo(3_000);
    cell(reached() ?? "").focus();
    await userEvent.keyboard("{Home}");
    await waitFor(() => expect(grid().scrollTop).toBe(0));
    view.unmount();
    await open();
    await waitFor(() => expect(reached()).toBe("000.jpg"));
    expect(grid().scrollTop).toBe(0);
  });

  it("has the focus that is seen there", async () => {
    const view = await open();
    cell("010.jpg").focus();
    scrollTo(60);
    view.unmount();
    await open();
    await waitFor(() => expect(grid().scrollTop).toBe(60));
    expect(reached()).toBe("010.jpg");
  });

  it("depends on the order, and resets when filtered", async () => {
    const view = await open();
    scrollTo(3_000);
    await view.rerender({ order: { sort: "size", order: "asc" } });
    await waitFor(() => expect(grid().scrollTop).toBe(0));
    await view.rerender({ order: { sort: "name", order: "asc" } });
    await waitFor(() => expect(grid().scrollTop).toBe(3_000));
    await view.rerender({ place: placeOf(`${folder}?filter=jpg`) });
    await waitFor(() => expect(grid().scrollTop).toBe(0));
    scrollTo(500);
    await view.rerender({ place: placeOf(folder) });
    await waitFor(() => expect(grid().scrollTop).toBe(3_000));
  });

  it("stays when thumbnails are resized", async () => {
    const view = await open();
    scrollTo(3_000);
    const row = () => {
      const { top, height } = within(grid()).getByRole("grid").style;
      return { top, height };
    };
    const before = row();
    await view.rerender({ thumbnailSize: 240 });
    await waitFor(() => expect(row()).not.toEqual(before));
    expect(reached()).toBe("000.jpg");
    expect(grid().scrollTop).toBeGreaterThan(3_000);
    await view.rerender({ thumbnailSize: 160 });
    await waitFor(() => expect(grid().scrollTop).toBe(3_000));
  });

  it("ends with a shorter folder", async () => {
    const view = await open();
    scrollTo(5_000);
    view.unmount();
    backend.entries = backend.entries.slice(0, 100);
    await open();
    await waitFor(() => expect(reached()).toBe("099.jpg"));
  });
});
