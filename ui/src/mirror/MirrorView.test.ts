import { render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { mirrorAddress, parseMirrorAddress } from "../api/addresses/mirror-address";
import type { MirrorDifference, MirrorOutsideFile, MirrorState } from "../api/backend";
import { setLocale } from "../i18n";
import { FakeBackend, NO_MIRROR } from "../testing/fake-backend";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import MirrorView from "./MirrorView.svelte";

let server: FakeBackend;
let host: StubHost;
let outside: MirrorOutsideFile[];
let state: Partial<MirrorState>;

const COPY = "pages/a.sync-conflict-20261118-120000-ABCDEFG.md";
const FILES: MirrorOutsideFile[] = [
  { entry: "pages/a.md", kind: "edited", page_id: "P1" },
  { entry: COPY, kind: "conflict_copy", page_id: "P1" },
  { entry: "pages/a.files/map.png", kind: "replaced", page_id: null },
  { entry: "pages/b.md", kind: "in_the_way", page_id: null },
  { entry: "pages/c.md", kind: "left", page_id: null },
];
const compared: MirrorDifference = {
  page_id: "P1",
  path: "/a",
  sha256: "5a5a",
  version: "2.0",
  hunks: [
    {
      old_start: 1,
      old_lines: 1,
      new_start: 1,
      new_lines: 1,
      lines: [
        { kind: "removed", old: 1, new: null, spans: [{ text: "stone", changed: true }], end: "lf" },
        { kind: "added", old: null, new: 1, spans: [{ text: "moss", changed: true }], end: "lf" },
      ],
    },
  ],
  added: 1,
  removed: 1,
  approximate: false,
  truncated: false,
  text: "moss\n",
};

beforeEach(() => {
  setLocale("en");
  server = new FakeBackend();
  host = new StubHost();
  outside = FILES;
  state = {};
  server.on("GET /api/mirror", () => ({ ...NO_MIRROR, folder: "/home/aya/mirror", is_on: true, outside, ...state }));
  server.on("GET /api/mirror/difference", () => compared);
});

const open = (file: string | null = null) => render(MirrorView, { place: { file }, backend: server, host });

it("lists the files with their kinds", async () => {
  open();
  const rows = await screen.findAllByTestId("mirror-file");
  expect(rows.map(({ dataset }) => dataset["state"])).toEqual(["edited", "conflict_copy", "replaced", "in_the_way", "left"]);
  expect(rows[0]?.querySelector("a")?.getAttribute("href")).toBe("/mirror?file=pages%2Fa.md");
  expect(host.statusItems.map(({ text }) => text)).toEqual(["5 files"]);
  expect(parseMirrorAddress(new URL(mirrorAddress(COPY), "http://x"))).toEqual({ file: COPY });
  outside = [];
  server.emit("mirror.changed", {});
  expect((await screen.findByTestId("mirror-none")).textContent).toContain("No file of the mirror was edited outside");
});

it("takes a file over after its difference", async () => {
  open("pages/a.md");
  const details = await screen.findByTestId("mirror-details");
  await waitFor(() => expect(details.querySelector("ins")?.textContent).toContain("moss"));
  expect(details.querySelector("del")?.textContent).toContain("stone");
  server.on("POST /api/mirror/take-over", () => ({ page_id: "P1", path: "/a", revision: 3 }));
  await host.press("t");
  expect(server.sent("POST /api/mirror/take-over")[0]?.body).toEqual({ entry: "pages/a.md", sha256: "5a5a", version: "2.0" });
  expect(host.toasts).toEqual(["/a has the text of the file"]);
  expect(host.visited).toEqual(["/mirror"]);
});

it("compares again what has changed meanwhile", async () => {
  open("pages/a.md");
  await screen.findByTestId("mirror-take-over");
  server.once("POST /api/mirror/take-over", () => fail("changed_since"));
  await host.press("t");
  expect(host.toasts).toEqual(["The file or the page has changed meanwhile. Look at the difference again."]);
  expect(server.sent("GET /api/mirror/difference")).toHaveLength(2);
  expect(host.visited).toEqual([]);
});

it("asks before the page is written again", async () => {
  open("pages/a.md");
  await screen.findByTestId("mirror-take-over");
  server.on("POST /api/mirror/write-again", () => NO_MIRROR);
  host.confirmAnswer = false;
  await host.press("w");
  expect(server.sent("POST /api/mirror/write-again")).toEqual([]);
  host.confirmAnswer = true;
  await host.press("w");
  expect(host.questions.map(({ title }) => title)).toEqual(["Write over “pages/a.md”?", "Write over “pages/a.md”?"]);
  expect(server.sent("POST /api/mirror/write-again")[0]?.body).toEqual({ entry: "pages/a.md", sha256: "5a5a" });
});

it.each<[string, string[]]>([
  ["pages/a.md", ["Take over", "Write again"]],
  [COPY, ["Take over", "Remove file"]],
  ["pages/a.files/map.png", ["Write again"]],
  ["pages/b.md", []],
  ["pages/c.md", ["Remove file", "Leave it"]],
])("%s: %j", async (file, labels) => {
  open(file);
  const details = await screen.findByTestId("mirror-details");
  await waitFor(() => expect([...details.querySelectorAll("button")].filter((button) => button.dataset["testid"]?.startsWith("mirror-")).map(({ textContent }) => textContent.trim())).toEqual(labels));
});

it("forgets a file whose page is gone", async () => {
  open("pages/c.md");
  await screen.findByTestId("mirror-leave");
  server.on("POST /api/mirror/leave", () => NO_MIRROR);
  await host.press("l");
  expect(server.sent("POST /api/mirror/leave")[0]?.body).toEqual({ entry: "pages/c.md" });
  expect(host.toasts).toEqual(["The mirror has forgotten “pages/c.md”"]);
});

it("says why the mirror is behind", async () => {
  state = { failure: "disk_full" };
  open();
  expect((await screen.findByTestId("mirror-failure")).textContent).toContain("disk is full");
  server.on("POST /api/mirror", () => NO_MIRROR);
  await host.press("c");
  expect(server.sent("POST /api/mirror")).toHaveLength(1);
});
