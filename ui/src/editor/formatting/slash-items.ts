// The items of the menu after "/": headings, lists, blocks, callouts, a picture, the date, templates, and albums.
import type { EditorView } from "@codemirror/view";
import type { AlbumInfo } from "../../api/albums";
import type { Translate } from "../../i18n";
import { dayOf, type Template } from "../../templates";
import { keyCaps } from "../../keys";
import { albumFence, calloutTitle, COMMON_CALLOUTS, shownAlbumName } from "../../markdown";
import { type Block, insertBlock } from "./blocks";
import type { FormattingCommand, FormattingCommands } from "./commands";
import type { SlashItem } from "./slash-menu";

interface Sources {
  addFile: () => void;
  templates: readonly Template[];
  insertTemplate: (path: string) => void;
  albums: readonly AlbumInfo[];
}

export function slashItems({ headings, lists, inserts }: FormattingCommands, t: Translate, { addFile, templates, insertTemplate, albums }: Sources): SlashItem[] {
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
    { label: t("editor.insert_date"), aliases: ["date", "today"], run: (view) => write(view, dayOf(new Date())) },
    ...templates.map(({ path, title }) => ({
      label: t("editor.insert_template", { title }),
      aliases: ["template", title],
      run: () => insertTemplate(path),
    })),
    ...albums.map((album) => ({
      label: t("editor.insert_album", { name: shownAlbumName(album) }),
      aliases: ["album", "gallery", shownAlbumName(album)],
      run: (view: EditorView) => insert(view, { before: albumFence(album).trimEnd() }),
    })),
  ];
}

function insert(view: EditorView, block: Block): void {
  const { from, to } = view.state.selection.main;
  view.dispatch(insertBlock(view.state, block, from, to));
}

function write(view: EditorView, before: string, after = ""): void {
  const { from, to } = view.state.selection.main;
  view.dispatch({ changes: { from, to, insert: before + after }, selection: { anchor: from + before.length }, userEvent: "input.complete" });
}
