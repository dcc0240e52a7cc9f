// A folder filtered by more than names, in the view: the choices, the address, and the results.
import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import type { FakeBackend } from "../../testing/fake-backend";
import { FolderVisit } from "../../testing/folder-visit";
import type { StubHost } from "../../testing/stub-host";
import { parsePicturesAddress } from "../query/address";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more });

let visit: FolderVisit;
let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  visit = new FolderVisit([
    entry("more", { kind: "folder" }),
    entry("a.jpeg", { rating: 4, tags: ["Places/Kyoto"] }),
    entry("b.jpeg", { rating: 2, taken: "2026-10-01T12:00:00" }),
    entry("c.png", { rating: 3, caption: "A temple" }),
  ]);
  ({ backend, host } = visit);
  backend.tagsNow = [{ tag: "Places/Kyoto", count: 1 }];
});

const names = () => screen.queryAllByTestId("cell").map((cell) => cell.dataset["name"]);
const parts = () => screen.queryAllByTestId("filter-part").map((part) => part.dataset["part"]);
const expectNames = (...wanted: string[]) => waitFor(() => expect(names()).toEqual(wanted));

it("is part of the address", async () => {
  await visit.open("/pictures/R1/");
  await expectNames("more", "a.jpeg", "b.jpeg", "c.png");
  await host.press("Shift+f");
  const rating = await screen.findByTestId("filter-rating");
  await waitFor(() => expect(document.activeElement).toBe(rating));
  await userEvent.selectOptions(rating, "3");
  await expectNames("a.jpeg", "c.png");
  expect(host.statusItems[0]?.text).toBe("2 of 3 pictures");
  expect(visit.address).toBe("/pictures/R1/?rating=3");
  await userEvent.selectOptions(screen.getByTestId("filter-type"), "png");
  await expectNames("c.png");
  await userEvent.selectOptions(screen.getByTestId("filter-type"), "jpeg");
  await expectNames("a.jpeg", "c.png");
  expect(parts()).toEqual(["rating", "jpeg", "png"]);
  await userEvent.type(screen.getByTestId("tag-field"), "kyo");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expectNames("a.jpeg");
  expect(visit.address).toBe("/pictures/R1/?rating=3&type=jpeg%2Cpng&tag=Places%2FKyoto");
});

it("filters by captions", async () => {
  await visit.open("/pictures/R1/");
  await host.press("Shift+f");
  const choice = await screen.findByTestId("filter-has-caption");
  await userEvent.selectOptions(choice, "false");
  await expectNames("a.jpeg", "b.jpeg");
  expect([parts(), visit.address]).toEqual([["has_caption"], "/pictures/R1/?has_caption=false"]);
  await userEvent.type(screen.getByTestId("filter-caption"), " temple ");
  await userEvent.tab();
  await expectNames("c.png");
  expect([parts(), visit.address]).toEqual([["caption"], "/pictures/R1/?caption=temple"]);
  await userEvent.selectOptions(choice, "false");
  await expectNames("a.jpeg", "b.jpeg");
});

it("filters by inclusive days and ignores invalid ones", async () => {
  await visit.open("/pictures/R1/");
  await host.press("Shift+f");
  const to = await screen.findByTestId<HTMLInputElement>("filter-to");
  const set = (value: string) => {
    to.value = value;
    to.dispatchEvent(new Event("change", { bubbles: true }));
  };
  set("2026-10-01");
  await expectNames("b.jpeg");
  to.type = "text";
  set("2026-10");
  expect([to.ariaInvalid, visit.address]).toEqual(["true", "/pictures/R1/?to=2026-10-01"]);
  set("");
  await expectNames("more", "a.jpeg", "b.jpeg", "c.png");
});

it("is restored from its address", async () => {
  const room = await visit.open("/pictures/R1/?filter=jp&rating=1");
  await expectNames("a.jpeg", "b.jpeg");
  expect(screen.getByTestId<HTMLInputElement>("folder-filter").value).toBe("jp");
  await room.rerender({ place: parsePicturesAddress(new URL("http://x/pictures/R1/")) ?? undefined });
  await expectNames("more", "a.jpeg", "b.jpeg", "c.png");
  expect(screen.getByTestId<HTMLInputElement>("folder-filter").value).toBe("");
});

it("is removed in parts or completely", async () => {
  await visit.open("/pictures/R1/?rating=3&type=jpeg");
  await expectNames("a.jpeg");
  const [first] = screen.getAllByTestId("filter-part");
  await userEvent.click(first ?? document.body);
  await expectNames("a.jpeg", "b.jpeg");
  expect(parts()).toEqual(["jpeg"]);
  await host.press("u");
  await expectNames("more", "a.jpeg", "b.jpeg", "c.png");
  expect([visit.address, screen.queryByTestId("filter-bar")]).toEqual(["/pictures/R1/", null]);
});

it("reports no match and can be cleared", async () => {
  await visit.open("/pictures/R1/?rating=rejected");
  expect((await screen.findByTestId("folder-none")).textContent).toContain("No pictures match these filters.");
  await userEvent.click(screen.getByTestId("unfilter"));
  await expectNames("more", "a.jpeg", "b.jpeg", "c.png");
});

it("drops rated pictures except the viewer's", async () => {
  await visit.open("/pictures/R1/?rating=3");
  await expectNames("a.jpeg", "c.png");
  await host.navigate("/pictures/R1/?view=a.jpeg&rating=3");
  await screen.findByTestId("viewer");
  expect(host.statusItems[0]?.text).toBe("Picture 1 of 2");
  backend.reading = "2";
  await host.press("1");
  await waitFor(() => expect(names()).toEqual(["c.png"]));
  expect(screen.getByTestId("viewer-image").getAttribute("src")).toBe("/api/image?root=R1&path=a.jpeg&v=id-a.jpeg");
  await waitFor(() => expect(host.statusItems[0]?.id).toBe("about"));
  await host.press("j");
  await waitFor(() => expect(screen.getByTestId("viewer-image").getAttribute("src")).toBe("/api/image?root=R1&path=c.png&v=id-c.png"));
  expect(visit.address).toBe("/pictures/R1/?view=c.png&rating=3");
});
