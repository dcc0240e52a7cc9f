// The items of the menu after "/": headings, lists, blocks, callouts, a picture, and the date.
import type { EditorView } from "@codemirror/view";
import type { Translate } from "../../i18n";
import { keyCaps } from "../../keys";
import { calloutTitle, COMMON_CALLOUTS } from "../../markdown";
import { type Block, insertBlock } from "./blocks";
import type { FormattingCommand, FormattingCommands } from "./commands";
import type { SlashItem } from "./slash-menu";

export function slashItems({ headings, lists, inserts }: FormattingCommands, t: Translate, addFile: () => void): SlashItem[] {
  const item = ({ label, keys, aliases, run }: FormattingCommand): SlashItem => ({
    label,
    ...(keys !== undefined && { keys: keyCaps(keys).join(" ") }),
    ...(aliases !== undefined && { aliases }),
    run,
  });
  return [
    ...headings.slice(0, 3).map(item),
    ...lists.map(item),
    ...inserts.map(item),
    { label: t("editor.add_file"), aliases: ["picture", "image", "file"], run: addFile },
    { label: t("editor.insert_page_link"), aliases: ["page", "link"], run: (view) => write(view, "[[", "]]") },
    ...COMMON_CALLOUTS.map((kind) => ({
      label: t("editor.insert_callout", { kind: calloutTitle(t, kind) }),
      aliases: ["callout", kind],
      run: (view: EditorView) => insert(view, { before: `> [!${kind.toUpperCase()}]\n> ` }),
    })),
    { label: t("editor.insert_date"), aliases: ["date", "today"], run: (view) => write(view, today(new Date())) },
  ];
}

/** The local day in ISO form, which sorts and is found by search. */
export function today(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

function insert(view: EditorView, block: Block): void {
  const { from, to } = view.state.selection.main;
  view.dispatch(insertBlock(view.state, block, from, to));
}

function write(view: EditorView, before: string, after = ""): void {
  const { from, to } = view.state.selection.main;
  view.dispatch({ changes: { from, to, insert: before + after }, selection: { anchor: from + before.length }, userEvent: "input.complete" });
}
