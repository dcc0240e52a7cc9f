// A folder whose pictures are grouped by days or months, in the view.
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import type { FakeBackend } from "../../testing/fake-backend";
import { FolderVisit } from "../../testing/folder-visit";
import type { StubHost } from "../../testing/stub-host";

const entry = (name: string, day: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({
  name,
  kind,
  size: 1_000,
  mtime: "2026-01-01T00:00:00Z",
  taken: `${day}T12:00:00`,
  id: `id-${name}`,
});

let visit: FolderVisit;
let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  visit = new FolderVisit([
    entry("more", "2026-01-01", "folder"),
    entry("a.jpg", "2025-11-20"),
    entry("b.jpg", "2025-10-03"),
    entry("c.jpg", "2025-11-20"),
    entry("d.jpg", "2025-11-02"),
  ]);
  ({ backend, host } = visit);
});

async function open(at: string) {
  await visit.open(at);
  await screen.findAllByTestId("cell");
}

const names = (root: HTMLElement = document.body) => [...root.querySelectorAll<HTMLElement>("[data-testid=cell]")].map((cell) => cell.dataset["name"]);
const groups = () => screen.queryAllByRole("rowgroup").map((group) => [within(group).getByRole("rowheader").textContent.trim(), names(group)]);
const focused = () => (document.activeElement as HTMLElement).dataset["name"];

it("have names and counts, in order", async () => {
  await open("/pictures/R1/?group=month");
  await waitFor(() =>
    expect(groups()).toEqual([
      ["Undated 1 item", ["more"]],
      ["October 2025 1 picture", ["b.jpg"]],
      ["November 2025 3 pictures", ["a.jpg", "c.jpg", "d.jpg"]],
    ]),
  );
  expect(screen.getByRole("grid").getAttribute("aria-rowcount")).toBe("6");
  const numbered = screen.getAllByRole("row").flatMap((row) => row.getAttribute("aria-rowindex") ?? []);
  expect(numbered).toEqual(["1", "2", "3", "4", "5", "6"]);
});

it("are ratings, the best first", async () => {
  const rated = (name: string, rating: number | null) => ({ ...entry(name, "2025-11-20"), rating });
  backend.entries = [entry("more", "2026-01-01", "folder"), rated("a.jpg", null), rated("b.jpg", 5), rated("c.jpg", -1), rated("d.jpg", 5)];
  await open("/pictures/R1/?group=rating");
  await waitFor(() =>
    expect(groups()).toEqual([
      ["Folders 1 item", ["more"]],
      ["5 stars 2 pictures", ["b.jpg", "d.jpg"]],
      ["Unrated 1 picture", ["a.jpg"]],
      ["Rejected 1 picture", ["c.jpg"]],
    ]),
  );
});

it("are chosen by key and selector, and remembered", async () => {
  await open("/pictures/R1/");
  expect(groups()).toEqual([]);
  await host.press("g");
  await waitFor(() => expect(groups().map(([, of]) => of)).toEqual([["more"], ["b.jpg"], ["d.jpg"], ["a.jpg", "c.jpg"]]));
  expect(visit.address).toBe("/pictures/R1/?group=day");
  expect(backend.folders.list.mock.lastCall?.[0]).toMatchObject({ group: "day", sort: "name" });
  // Another folder, by a link that does not specify a grouping.
  await host.navigate("/pictures/R1/2026");
  await waitFor(() => expect(backend.folders.list.mock.lastCall?.[0]).toMatchObject({ path: "2026", group: "day" }));
  await userEvent.selectOptions(screen.getByTestId("group"), "none");
  await waitFor(() => expect(groups()).toEqual([]));
  expect(visit.address).toBe("/pictures/R1/2026?group=none");
  expect(visit.chosen).toEqual(["day", "none"]);
});

it("are walked by arrows and announced", async () => {
  await open("/pictures/R1/?group=month");
  await waitFor(() => expect(focused()).toBe("more"));
  expect(screen.getByTestId("group-status").textContent).toContain("Undated");
  // They share a row.
  await userEvent.keyboard("{ArrowRight}");
  expect(focused()).toBe("b.jpg");
  expect(screen.getByTestId("group-status").textContent).toContain("October 2025");
  await userEvent.keyboard("{ArrowDown}{ArrowUp}");
  expect(focused()).toBe("b.jpg");
  await userEvent.keyboard("{End}{Shift>}{Home}{/Shift}");
  expect(focused()).toBe("more");
  expect(host.statusItems[0]?.text).toMatch(/^5 selected/);
});

it("keep the current name at the top", async () => {
  backend.entries = Array.from({ length: 300 }, (_, at) => entry(`${String(at).padStart(3, "0")}.jpg`, at < 150 ? "2025-10-03" : "2025-11-20"));
  backend.folders.list.mockClear();
  await open("/pictures/R1/?group=day");
  const grid = screen.getByTestId("grid");
  expect(screen.queryByTestId("group-sticky")).toBeNull();
  const scrollTo = async (top: number) => {
    grid.scrollTop = top;
    grid.dispatchEvent(new Event("scroll"));
    await waitFor(() => expect(screen.getByTestId("group-sticky")).toBeDefined());
    return screen.getByTestId("group-sticky").textContent;
  };
  expect(await scrollTo(800)).toContain("October 3, 2025");
  expect(await scrollTo(9_000)).toContain("November 20, 2025");
  // The document only holds the visible cells and a few around them.
  expect(names().length).toBeLessThan(90);
});

it("have a scale of dates beside many pictures", async () => {
  backend.entries = Array.from({ length: 300 }, (_, at) => entry(`${String(at).padStart(3, "0")}.jpg`, at < 150 ? "2025-10-03" : "2025-11-20"));
  await open("/pictures/R1/?group=day");
  const scale = await screen.findByTestId("date-scale");
  expect([...scale.querySelectorAll(".label")].map(({ textContent }) => textContent)).toEqual(["Oct", "Nov"]);
  const grid = screen.getByTestId("grid");
  await fireEvent.pointerDown(scale, { button: 0, clientY: 10_000 });
  await waitFor(() => expect(grid.scrollTop).toBeGreaterThan(1_000));
});

it("keep the focus when entries change groups", async () => {
  await open("/pictures/R1/?group=month");
  await waitFor(() => expect(focused()).toBe("more"));
  await userEvent.keyboard("{End}");
  expect(focused()).toBe("d.jpg");
  backend.reading = "2";
  backend.entries = [...backend.entries, entry("0.jpg", "2024-01-01")];
  backend.emit("folder.changed", { root: "R1", path: "" });
  await waitFor(() => expect(groups()).toHaveLength(4));
  await waitFor(() => expect(focused()).toBe("d.jpg"));
});
