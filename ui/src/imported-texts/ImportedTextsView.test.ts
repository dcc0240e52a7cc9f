import { render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { importedTextsAddress, parseImportedTextsAddress } from "../api/addresses/imported-texts-address";
import type { ImportedText, ImportedTextDifference } from "../api/backend";
import { setLocale } from "../i18n";
import { FakeBackend } from "../testing/fake-backend";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import ImportedTextsView from "./ImportedTextsView.svelte";

const TEXT: ImportedText = { id: "A1", page_id: "P1", path: "/v/a", source: "/home/aya/v", origin: "a.md", offered_at: "2026-11-29T12:00:00Z" };
const COMPARED: ImportedTextDifference = {
  ...TEXT,
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

let server: FakeBackend;
let host: StubHost;
let items: ImportedText[];

beforeEach(() => {
  setLocale("en");
  server = new FakeBackend();
  host = new StubHost();
  items = [TEXT];
  server.on("GET /api/imported-texts", () => ({ items }));
  server.on("GET /api/imported-texts/{id}", () => COMPARED);
});

const open = (text: string | null = null) => render(ImportedTextsView, { place: { text }, backend: server, host });

it("lists the texts that wait for a decision", async () => {
  open();
  const row = await screen.findByTestId("imported-text");
  expect(row.querySelector("a")?.getAttribute("href")).toBe("/imported-texts?text=A1");
  expect(parseImportedTextsAddress(new URL(importedTextsAddress("A1"), "http://x"))).toEqual({ text: "A1" });
  items = [];
  server.emit("resync", {});
  expect(await screen.findByTestId("imported-texts-none")).toBeTruthy();
});

it("takes a text over after its difference", async () => {
  open("A1");
  const details = await screen.findByTestId("imported-text-details");
  await waitFor(() => expect(details.querySelector("ins")?.textContent).toContain("moss"));
  server.on("POST /api/imported-texts/{id}/take-over", () => fail("precondition_failed"));
  await host.press("t");
  expect(host.toasts).toEqual(["The page has changed meanwhile. Look at the difference again."]);
  server.on("POST /api/imported-texts/{id}/take-over", () => ({ page_id: "P1", path: "/v/a", revision: 3 }));
  await host.press("t");
  expect(server.sent("POST /api/imported-texts/{id}/take-over")[1]?.body).toEqual({ version: "2.0" });
  expect(host.toasts[1]).toBe("/v/a has the imported text");
});

it("keeps the page with one key", async () => {
  open("A1");
  await screen.findByTestId("imported-text-take-over");
  server.on("POST /api/imported-texts/{id}/keep", () => undefined);
  await host.press("k");
  expect(server.sent("POST /api/imported-texts/{id}/keep")).toHaveLength(1);
  expect(host.toasts).toEqual(["/v/a stays as it is"]);
});
