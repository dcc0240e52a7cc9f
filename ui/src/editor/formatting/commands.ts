// The commands of formatting: for the keys, the toolbar and the menu after "/".
import type { StateCommand } from "@codemirror/state";
import type { Translate } from "../../i18n";
import * as blocks from "./blocks";
import * as inline from "./inline";
import * as tables from "./tables";

export interface FormattingCommand {
  id: string;
  label: string;
  /** In the form that `registerShortcut` takes. */
  keys?: string;
  /** Words that find it after "/", besides its label. */
  aliases?: readonly string[];
  run: StateCommand;
}

export interface FormattingCommands {
  headings: FormattingCommand[];
  marks: FormattingCommand[];
  lists: FormattingCommand[];
  /** Blocks that are inserted. */
  inserts: FormattingCommand[];
  /** Changes of the table at the cursor. */
  table: FormattingCommand[];
}

const LEVELS = [1, 2, 3, 4, 5, 6];

export function formattingCommands(t: Translate): FormattingCommands {
  return {
    headings: LEVELS.map((level) => ({
      id: `heading-${level}`,
      label: t("editor.format_heading", { level }),
      keys: `Mod+${level}`,
      aliases: [`h${level}`, `heading ${level}`],
      run: blocks.toggleHeading(level),
    })),
    marks: [
      { id: "bold", label: t("editor.format_bold"), keys: "Mod+b", run: inline.toggleBold },
      { id: "italic", label: t("editor.format_italic"), keys: "Mod+i", run: inline.toggleItalic },
      { id: "strikethrough", label: t("editor.format_strikethrough"), keys: "Mod+Shift+y", run: inline.toggleStrikethrough },
      { id: "code", label: t("editor.format_code"), keys: "Mod+Shift+k", run: inline.toggleCode },
      { id: "link", label: t("editor.format_link"), keys: "Mod+k", aliases: ["link", "url"], run: inline.insertLink },
    ],
    lists: [
      { id: "list", label: t("editor.format_list"), keys: "Mod+Alt+l", aliases: ["list", "ul"], run: blocks.toggleBulletList },
      { id: "numbered-list", label: t("editor.format_numbered_list"), keys: "Mod+Alt+o", aliases: ["numbers", "ol"], run: blocks.toggleNumberedList },
      { id: "task-list", label: t("editor.format_tasks"), keys: "Mod+Alt+x", aliases: ["task", "todo", "check"], run: blocks.toggleTaskList },
      { id: "quote", label: t("editor.format_quote"), keys: "Mod+Alt+q", aliases: ["quote"], run: blocks.toggleQuote },
    ],
    inserts: [
      insert("table", t("editor.insert_table"), tableOf(t), ["table"]),
      insert("code-block", t("editor.insert_code"), blocks.CODE_BLOCK, ["code"]),
      insert("formula", t("editor.insert_formula"), blocks.FORMULA, ["math", "formula"]),
      insert("rule", t("editor.insert_rule"), blocks.RULE, ["rule", "line", "hr"]),
    ],
    table: [
      { id: "table-add-row", label: t("editor.table_add_row"), run: tables.addRow },
      { id: "table-add-column", label: t("editor.table_add_column"), run: tables.addColumn },
      { id: "table-remove-row", label: t("editor.table_remove_row"), run: tables.removeRow },
      { id: "table-remove-column", label: t("editor.table_remove_column"), run: tables.removeColumn },
    ],
  };
}

function insert(id: string, label: string, block: blocks.Block, aliases: readonly string[]): FormattingCommand {
  const run: StateCommand = ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { from, to } = state.selection.main;
    dispatch(state.update(blocks.insertBlock(state, block, from, to)));
    return true;
  };
  return { id, label, aliases, run };
}

/** The text of the first cell is selected. */
function tableOf(t: Translate): blocks.Block {
  const heads = [1, 2].map((number) => t("editor.insert_table_head", { number }));
  const [first = "", second = ""] = heads;
  const dashes = heads.map((head) => "-".repeat(Math.max(3, head.length)));
  const empty = dashes.map((line) => " ".repeat(line.length));
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return { before: "| ", selected: first, after: ` | ${second} |\n${row(dashes)}\n${row(empty)}\n${row(empty)}` };
}
