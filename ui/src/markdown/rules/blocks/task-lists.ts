// Task list items, `- [ ]` and `- [x]`. Each box identifies its task in the source, where it can be changed (see
// `task-boxes.ts`).
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { pageOf } from "../../rendering/context";
import { markColumn, TASK_SEAL } from "../../task-boxes";
import { plainText } from "../inline-tokens";

const MARK = /^\[([ xX])\][ \u3000]+/;

/** A markdown-it plugin. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "task_lists", (state) => {
    state.tokens.forEach((token, index) => {
      const inline = state.tokens[index + 2];
      const paragraph = state.tokens[index + 1];
      if (token.type !== "list_item_open" || paragraph?.type !== "paragraph_open" || inline?.type !== "inline") return;
      markItem(state, token, inline);
    });
  });
}

function markItem(state: StateCore, item: Token, inline: Token): void {
  const [first, ...rest] = inline.children ?? [];
  const mark = first?.type === "text" ? MARK.exec(first.content) : null;
  if (first === undefined || mark === null) return;
  first.content = first.content.slice(mark[0].length);
  item.attrJoin("class", "task");
  const seal = sealOf(state, inline);
  inline.children = [...box(state, mark[1] !== " ", plainText([first, ...rest]).trim(), seal), first, ...rest];
}

/** Adds the task to the page's list; null if its mark can't be identified from the line itself. */
function sealOf(state: StateCore, inline: Token): string | null {
  const line = inline.map?.[0];
  const page = pageOf(state.env);
  page.lines ??= state.src.split("\n");
  if (line === undefined || markColumn(page.lines[line] ?? "") === null) return null;
  return `${page.tasks.push(line) - 1}.${TASK_SEAL}`;
}

function box(state: StateCore, done: boolean, label: string, seal: string | null): Token[] {
  const open = new state.Token("task_box_open", "span", 1);
  open.attrs = [
    ["class", "task-box"],
    ["role", "checkbox"],
    ["aria-checked", String(done)],
    ["aria-disabled", "true"],
    ["aria-label", label],
  ];
  if (seal !== null) open.attrs.push(["data-task", seal]);
  return [open, new state.Token("task_box_close", "span", -1)];
}
