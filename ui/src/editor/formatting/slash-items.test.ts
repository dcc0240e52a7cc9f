import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, it } from "vitest";
import { t } from "../../i18n";
import { formattingCommands } from "./commands";
import { slashItems } from "./slash-items";

it("inserts the fence of an album", () => {
  const album = { id: "A1", name: "旅", is_favourites: false, created_at: "2026-11-20T00:00:00Z", count: 2, cover: null };
  const items = slashItems(formattingCommands(t), t, { addFile: () => {}, templates: [], insertTemplate: () => {}, albums: [album] });
  const item = items.find(({ label }) => label === "Album: 旅");
  expect(item?.aliases).toContain("album");
  const view = new EditorView({ state: EditorState.create({ doc: "before\n\n\nafter", selection: { anchor: 8 } }) });
  item?.run(view);
  expect(view.state.doc.toString()).toBe("before\n\n```album\nalbum: 旅\nid: A1\n```\n\nafter");
  view.destroy();
});
