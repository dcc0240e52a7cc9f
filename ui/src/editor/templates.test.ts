import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../testing/fake-server";
import "../testing/ranges";
import { StubHost } from "../testing/stub-host";
import { TemplateBook } from "../templates";
import { EditView } from ".";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/edit/p");
  server = new FakeServer();
  host = new StubHost();
});

/** Opens the editor of a new page, with a template that was chosen. */
async function begin(path: string, template: string | null): Promise<EditorView> {
  const backend = server.backend;
  const settings = { daily_path: "/daily/{{date:YYYY-MM-DD}}", daily_template: "/templates/day", folders: [] };
  const list = () => [{ path: "/templates/day", title: "Day" }];
  const templates = new TemplateBook({ backend, path, settings, user: "Aya", locale: "en", list });
  render(EditView, { path, backend, host, tabId: Promise.resolve("tab"), preview: { open: false, width: null }, onpreview: vi.fn(), templates, template });
  const view = EditorView.findFromDOM(await screen.findByTestId("editor"));
  if (view === null) throw new Error("no editor");
  return view;
}

const text = (view: EditorView) => view.state.doc.toString();

it("a new page begins with the chosen template", async () => {
  server.add("/templates/meeting", "# {{title}}\n\nBy {{user}}: {{cursor}}\n", "Aya");
  const view = await begin("/kyoto", "/templates/meeting");
  expect(text(view)).toBe("# kyoto\n\nBy Aya: \n");
  expect(view.state.selection.main.head).toBe(text(view).length - 1);
});

it("the daily note states its own day", async () => {
  server.add("/templates/day", "# {{date:D MMMM}}\n", "Aya");
  expect(text(await begin("/daily/2026-02-03", null))).toBe("# 3 February\n");
});

it("unknown placeholders are kept and named", async () => {
  server.add("/templates/a", "{{titel}}", "Aya");
  expect(text(await begin("/p", "/templates/a"))).toBe("{{titel}}");
  expect(host.toasts).toEqual([expect.stringContaining("{{titel}}")]);
});

it("a missing template leaves the heading", async () => {
  expect(text(await begin("/p", "/templates/gone"))).toBe("# p\n\n");
  expect(host.toasts).toEqual([expect.stringContaining("/templates/gone")]);
});
