// Contact sheets, from the menu to the message.
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import { sessionMemory } from "../session/session-memory";
import { SHEET_DEFAULTS, sheetGeometry, sheetName } from "./sheet-options";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more });

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("a.png", { taken: "2024-05-03T12:30:00", rating: 3, caption: "First\nSecond\nThird" }), entry("b.png"), entry("film.mp4", { video: true })];
  host = new StubHost();
  sessionMemory.saveFocus({ root: "R1", path: canonicalPath(""), query: { sort: "name", order: "asc" } }, 0);
});

async function openDialog() {
  openPictures({ place: { root: "R1", path: canonicalPath(""), view: null }, backend, host });
  await screen.findAllByTestId("cell");
  await host.press("Mod+a");
  await host.act("contact-sheet");
  return screen.findByTestId("sheet-dialog");
}

const field = (id: string) => screen.getByTestId<HTMLInputElement>(id);
const type = (id: string, value: string) => fireEvent.input(field(id), { target: { value } });
const sent = () => backend.sent("POST /api/files/contact-sheet").map(({ body }) => body);
const isReady = () => !screen.getByTestId<HTMLButtonElement>("sheet-do").disabled;
const previewed = () => [...screen.getByTestId("sheet-preview").querySelectorAll(".line, .title")].map(({ textContent }) => textContent);

describe("a contact sheet", () => {
  it("is previewed, and made with the chosen layout", async () => {
    const dialog = await openDialog();
    expect(dialog.textContent).toContain("Contact sheet of 2 pictures");
    expect(previewed()).toEqual(["Photos", "a.png", "b.png", "1 / 1"]);
    // A picture that can't be displayed leaves its place empty, as on the sheet.
    const drawn = () => screen.getByTestId("sheet-preview").querySelectorAll("image");
    expect(drawn()).toHaveLength(2);
    await fireEvent.error(drawn()[1] as Element);
    expect(drawn()).toHaveLength(1);
    await fireEvent.click(field("sheet-page-letter"));
    await fireEvent.click(field("sheet-orientation-landscape"));
    for (const caption of ["date", "rating", "caption"]) await fireEvent.click(field(`sheet-caption-${caption}`));
    for (const [id, value] of [["columns", "1"], ["rows", "1"], ["margin", "0"], ["heading", "旅"], ["name", "trip"]] as const) await type(`sheet-${id}`, value);
    await fireEvent.click(field("sheet-numbers"));
    expect(previewed()).toEqual(["旅", "a.png", "2024-05-03 12:30  ★★★☆☆", "First", "Second"]);
    expect(screen.getByTestId("sheet-pages").textContent).toBe("2 pages");
    screen.getByTestId("sheet-do").click();
    const layout = { page: "letter", landscape: true, columns: 1, rows: 1, margin: 0, captions: ["name", "date", "rating", "caption"], page_numbers: false };
    const items = ["a.png", "b.png"].map((path) => ({ root: "R1", path }));
    await waitFor(() => expect(sent()).toEqual([{ ...layout, items, to: { root: "R1", path: "" }, name: "trip.pdf", title: "旅", numbered: true }]));
    await waitFor(() => expect(host.toasts).toEqual(["Created “trip.pdf” in “Photos”"]));
    // The next sheet begins with the same layout.
    await host.act("contact-sheet");
    await screen.findByTestId("sheet-dialog");
    expect([field("sheet-columns").value, field("sheet-page-letter").checked, field("sheet-heading").value]).toEqual(["1", true, "Photos"]);
  });

  it("is refused with invalid values", async () => {
    await openDialog();
    for (const [id, invalid, valid] of [
      ["sheet-columns", "13", "12"],
      ["sheet-rows", "0", "5"],
      ["sheet-margin", "51", "0"],
      ["sheet-heading", "x".repeat(201), ""],
      ["sheet-name", "a/b", "a"],
    ] as const) {
      await type(id, invalid);
      expect(isReady(), id).toBe(false);
      await type(id, valid);
      expect(isReady(), id).toBe(true);
    }
    await fireEvent.click(field("sheet-caption-caption"));
    await type("sheet-margin", "50");
    await type("sheet-rows", "20");
    expect(screen.getByTestId("sheet-tight").textContent).toContain("too small");
    expect(isReady()).toBe(false);
  });

  it("names pictures that it can't show", async () => {
    const failed = [{ name: "b.png", error: { code: "picture_undecodable" as const, message: "" } }];
    backend.on("POST /api/files/contact-sheet", () => ({ name: "Photos (2).pdf", pages: 1, has_text: false, failed }));
    await openDialog();
    screen.getByTestId("sheet-do").click();
    await waitFor(() => expect(host.toasts).toHaveLength(2));
    expect(host.toasts[0]).toBe("Created “Photos (2).pdf” in “Photos” without text: this system has no font that can be embedded.");
    expect(host.toasts[1]).toMatch(/^Couldn’t show “b.png” on the contact sheet: /);
  });

  it("may be cancelled", async () => {
    backend.on("POST /api/files/contact-sheet", () => fail("cancelled"));
    await openDialog();
    screen.getByTestId("sheet-do").click();
    await waitFor(() => expect(host.toasts).toEqual(["The contact sheet was cancelled."]));
  });
});

it("boxes are apart and within the margins", () => {
  const geometry = sheetGeometry({ ...SHEET_DEFAULTS, captions: ["name", "date"] }, true);
  if (geometry === null) throw new Error("no room");
  const { boxes, width, height, margin } = geometry;
  expect(boxes).toHaveLength(20);
  const [first, second, , , fifth] = boxes;
  const last = boxes.at(-1);
  if (!first || !second || !fifth || !last) throw new Error("no boxes");
  expect(first.x).toBeCloseTo(margin);
  expect(second.x).toBeGreaterThan(first.x + first.width);
  expect(fifth.y).toBeGreaterThan(first.y + first.height + 2 * geometry.line);
  expect(last.x + last.width).toBeCloseTo(width - margin);
  expect(last.y + last.height + 2 * geometry.line).toBeLessThan(height - margin);
});

it.each([
  [" trip ", "trip.pdf"],
  ["trip.PDF", "trip.PDF"],
])("the file of %j is %j", (typed, name) => {
  expect(sheetName(typed)).toBe(name);
});
