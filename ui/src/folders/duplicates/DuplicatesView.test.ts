import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { DuplicatesPlace } from "../../api/addresses/duplicates-address";
import type { Job } from "../../api/backend";
import type { DuplicateMember, Likeness } from "../../api/duplicates";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import DuplicatesView from "./DuplicatesView.svelte";

let backend: FakeBackend;
let host: StubHost;
let job: Job;
let groups: DuplicateMember[][];
let likeness: Likeness;

function member(name: string, more: Partial<DuplicateMember> = {}): DuplicateMember {
  const entry = { folder: "R1/2026", name, kind: "picture" as const, size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, width: 40, height: 30 };
  return { entry, folder: "Photos/2026", companions: 0, ...more };
}

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  host.keep({ duplicates: [] });
  job = { id: "J1", kind: "find_duplicates", state: "done", done: 2, total: 2, started_at: "2026-11-20T00:00:00Z", ended_at: "2026-11-20T00:00:01Z", result: {}, error: null };
  likeness = "identical";
  groups = [
    [member("a.jpg", { keep: "older" }), member("b.jpg"), member("c.jpg", { stays: "marks" })],
    [member("d.jpg", { keep: "marks" }), member("e.jpg")],
  ];
  backend.on("GET /api/jobs/{id}", () => job);
  backend.on("GET /api/duplicates/{id}", () => ({
    likeness,
    total: groups.length,
    pictures: 9,
    unreadable: 1,
    left_out: 0,
    offset: 0,
    groups: groups.map((members, number) => ({ number, members, more: 0 })),
  }));
  backend.on("POST /api/duplicates", () => ({ id: "J1" }));
  backend.on("POST /api/duplicates/{id}/bin", ({ body: { items } }) => {
    const names = items.map(({ path }) => path?.split("/").at(-1));
    groups = groups.map((group) => group.filter(({ entry }) => !names.includes(entry.name))).map((group) => (group.length > 1 ? group : []));
    return { operation: "O1", done: names.length, skipped: 0, failed: [] };
  });
});

const open = (place: Partial<DuplicatesPlace> = {}) => render(DuplicatesView, { place: { folder: null, search: "J1", ...place }, backend, host });
const cards = () => screen.getAllByTestId("duplicate");
const ticked = () => cards().flatMap(({ dataset }) => (dataset["ticked"] === "true" ? [dataset["name"]] : []));
const tick = (index: number) => fireEvent.click(screen.getAllByTestId("duplicate-tick")[index] as HTMLElement);

it("starts in the folder, or in all", async () => {
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  open({ folder: { root: "R1", path: canonicalPath("2026") }, search: null });
  await fireEvent.click(await screen.findByTestId("duplicates-search"));
  await waitFor(() => expect(host.visited).toEqual(["/duplicates/R1/2026?search=J1"]));
  await fireEvent.click(screen.getByTestId("duplicates-scope-all"));
  await fireEvent.click(screen.getByTestId("duplicates-search"));
  await waitFor(() => expect(backend.sent("POST /api/duplicates").map(({ body }) => body)).toEqual([{ folder: { root: "R1", path: "2026" }, likeness: "identical" }, { likeness: "identical" }]));
});

it("shows progress, and can be cancelled", async () => {
  job = { ...job, state: "running", done: 1, total: 4, ended_at: null };
  backend.on("DELETE /api/jobs/{id}", () => {
    job = { ...job, state: "cancelled", ended_at: "2026-11-20T00:00:01Z" };
  });
  open();
  expect((await screen.findByTestId("duplicates-progress")).textContent).toBe("1 of 4 compared");
  await fireEvent.click(screen.getByTestId("duplicates-cancel"));
  backend.emit("job.progress", { job_id: "J1", kind: "find_duplicates", state: "cancelled", done: 1, total: 4 });
  expect((await screen.findByTestId("duplicates-start")).textContent).toContain("cancelled");
});

it("proposes all but the kept ones", async () => {
  open();
  await screen.findAllByTestId("duplicate");
  expect(ticked()).toEqual(["b.jpg", "e.jpg"]);
  expect(cards().map((card) => card.querySelector(".reason")?.textContent)).toEqual(["Its file is older", undefined, "Has marks that the kept one lacks", "Has a rating, tags or a caption", undefined]);
  expect(screen.getByTestId("duplicates-unreadable").textContent).toBe("1 could not be read.");
});

it("one picture of each group stays", async () => {
  open();
  await screen.findAllByTestId("duplicate");
  await tick(2);
  expect(ticked()).toEqual(["b.jpg", "c.jpg", "e.jpg"]);
  await tick(0);
  expect(ticked()).toEqual(["b.jpg", "c.jpg", "e.jpg"]);
  expect(host.toasts).toEqual(["One picture of each group stays. Untick another one first."]);
  await tick(1);
  await tick(0);
  expect(ticked()).toEqual(["a.jpg", "c.jpg", "e.jpg"]);
});

it("ticked pictures are trashed, with undo", async () => {
  open();
  await screen.findAllByTestId("duplicate");
  await host.act("duplicates-bin");
  expect(backend.sent("POST /api/duplicates/{id}/bin")[0]?.body).toEqual({ items: ["b.jpg", "e.jpg"].map((name) => ({ root: "R1", path: `2026/${name}` })) });
  await waitFor(() => expect(cards().map(({ dataset }) => dataset["name"])).toEqual(["a.jpg", "c.jpg"]));
  expect(host.open.map(({ message, options }) => [message, options.undo !== undefined])).toEqual([["Moved 2 files to Trash", true]]);
});

it("keys move, tick and compare", async () => {
  open();
  await screen.findAllByTestId("duplicate");
  const links = screen.getAllByTestId("duplicate-open");
  links[0]?.focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(links[1]);
  await userEvent.keyboard(" ");
  expect(ticked()).toEqual(["e.jpg"]);
  await userEvent.keyboard("{Delete}{Delete}");
  expect(ticked()).toEqual(["b.jpg", "e.jpg"]);
  expect(links[1]?.getAttribute("href")).toBe("/pictures/R1/2026?view=b.jpg");
  await userEvent.keyboard("c");
  await waitFor(() => expect(screen.getAllByTestId("compare-picture")).toHaveLength(3));
  await fireEvent.click(screen.getByTestId("compare-close"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByTestId("duplicate-open")[0]));
});

it("says when there are none", async () => {
  groups = [];
  open();
  expect((await screen.findByTestId("duplicates-none")).textContent).toContain("9 pictures were compared.");
});

it("a forgotten search can be repeated", async () => {
  backend.on("GET /api/jobs/{id}", () => fail("job_not_found"));
  open();
  expect(await screen.findByTestId("duplicates-start")).toBeDefined();
});

it("a failed search can be repeated", async () => {
  job = { ...job, state: "failed", error: { code: "internal", message: "x" } };
  open();
  await fireEvent.click(await screen.findByRole("button", { name: /again/i }));
  await waitFor(() => expect(backend.sent("POST /api/duplicates")).toHaveLength(1));
});

it("finds similar pictures, and shows that it did", async () => {
  open({ search: null });
  await fireEvent.click(await screen.findByTestId("duplicates-likeness-similar"));
  expect(screen.getByTestId("duplicates-start").textContent).toContain("the shots of a series");
  likeness = "similar";
  groups = [[member("a.jpg", { keep: "pixels" }), member("b.jpg", { stays: "differs" }), member("c.jpg")]];
  await fireEvent.click(screen.getByTestId("duplicates-search"));
  await waitFor(() => expect(backend.sent("POST /api/duplicates")[0]?.body).toEqual({ likeness: "similar" }));
});

it("another likeness starts another search", async () => {
  likeness = "close";
  open();
  expect((await screen.findAllByRole("heading", { level: 2 }))[0]?.textContent).toBe("3 almost identical pictures");
  expect(screen.getByTestId<HTMLInputElement>("duplicates-likeness-close").checked).toBe(true);
  await fireEvent.click(screen.getByTestId("duplicates-likeness-similar"));
  await waitFor(() => expect(backend.sent("POST /api/duplicates")[0]?.body).toEqual({ likeness: "similar" }));
});

it("keeps only one picture of a group", async () => {
  groups = [[member("a.jpg", { keep: "pixels" }), member("b.jpg", { stays: "differs" }), member("c.jpg")]];
  open();
  await screen.findAllByTestId("duplicate");
  expect(ticked()).toEqual(["c.jpg"]);
  await fireEvent.click(screen.getByTestId("duplicate-keep-only"));
  expect(ticked()).toEqual(["b.jpg", "c.jpg"]);
  screen.getAllByTestId("duplicate-open")[1]?.focus();
  await userEvent.keyboard("k");
  expect(ticked()).toEqual(["a.jpg", "c.jpg"]);
});
