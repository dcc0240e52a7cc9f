// `- [ ]` and `- [x]`: items of a list that can be done. The boxes show a state; they are changed in the text.
import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { plainText } from "./inline-tokens";

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
  inline.children = [...box(state, mark[1] !== " ", plainText([first, ...rest]).trim()), first, ...rest];
}

function box(state: StateCore, done: boolean, label: string): Token[] {
  const open = new state.Token("task_box_open", "span", 1);
  open.attrs = [
    ["class", "task-box"],
    ["role", "checkbox"],
    ["aria-checked", String(done)],
    ["aria-disabled", "true"],
    ["aria-label", label],
  ];
  return [open, new state.Token("task_box_close", "span", -1)];
}
