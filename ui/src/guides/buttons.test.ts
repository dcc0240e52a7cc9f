// Every control that can be pressed, switched or chosen shows a key: on itself, or in its tooltip.
import { parse } from "svelte/compiler";
import { expect, it } from "vitest";
import { readSource, sourceFiles } from "./source-keys";

interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

const BUTTON_TAGS = new Set(["Button", "IconButton", "button", "select", "summary"]);
const SWITCHED = new Set(["checkbox", "radio", "range"]);
const SHOWS = new Set(["hint", "shortcut", "keys", "aria-keyshortcuts"]);

/** Controls without a key of their own, with the reasons. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "cache/ExpiryFailuresSection.svelte ttl-retry": "one for each failure, reached by Tab; one key tries all again",
  "cache/CacheFolderSection.svelte cache-folder-change": "rare, and reached by Tab",
  "cache/GroupsSection.svelte cache-group-clear": "one for each folder, reached by Tab; one key clears everything",
  "cache/GroupsSection.svelte cache-group-expiry": "one for each folder, reached by Tab; one key changes the default",
  "cache/LimitForm.svelte cache-limit-unit": "reached by Tab from the number, which Enter saves",
  "cache/PolicyDialog.svelte checkbox": "a choice in a dialog, reached by Tab",
  "editor/merge/MergeDialog.svelte merge-": "radio buttons: arrows go from one to the next",
  "folders/toolbar/Toolbar.svelte thumbnail-size": "a slider: arrows move it, and + and - stand in the tooltips of its ends",
  "folders/info/PictureMetadata.svelte folders.all_notes": "Enter and Space open and close it",
  "folders/toolbar/FilterBar.svelte filter-has-caption": "reached by Tab from the tag, to which Shift F leads by Tab",
  "folders/toolbar/FilterBar.svelte filter-part": "one for each part of the filter, reached by Tab; one key takes all away",
  "folders/toolbar/FilterBar.svelte filter-rating": "Shift F leads to it",
  "folders/toolbar/FilterBar.svelte filter-type": "reached by Tab from the one before it, to which Shift F leads",
  "folders/marks/TagEditor.svelte tag-remove": "one for each tag, reached by Tab",
  "folders/marks/TagEditor.svelte tag-to-all": "one for each tag, reached by Tab",
  "folders/file-ops/RecentOperationsDialog.svelte operation-undo": "one for each row of a dialog, reached by Tab; the first has the focus",
  "hashes/ExportDialog.svelte hash-export-root": "a choice in a dialog, reached by Tab",
  "hashes/OptionBox.svelte checkbox": "a choice in a dialog, reached by Tab",
  "hashes/RecordRows.svelte hash-record": "a row: arrows go from one to the next",
  "hashes/RecordsSection.svelte hash-kind": "reached by Tab from the search, to which / leads",
  "hashes/RemovedSection.svelte hash-reinstate": "one for each record, reached by Tab; one key brings all back",
  "hashes/RemovedSection.svelte hash-removed-more": "reached by Tab from the last record",
  "hashes/ReportSection.svelte finding-accept-move": "one for each moved file, reached by Tab from its line",
  "hashes/ReportSection.svelte hash-reports": "reached by Tab before the report",
  "hashes/ReportSection.svelte finding-open": "a row: arrows go from one to the next",
  "hashes/RootChoice.svelte root-choice": "a choice in a dialog, reached by Tab",
  "hashes/ScheduleSection.svelte schedule-enabled": "the first of the settings, reached by Tab",
  "hashes/StateChips.svelte state-chip": "one for each state, reached by Tab",
  "history/PathField.svelte move-place": "a suggestion in a dialog, reached by Tab",
  "history/Renames.svelte history.links_before_move": "Enter and Space open and close it",
  "history/RevisionList.svelte revision-choose": "a row: J and K go from one to the next",
  "history/RevisionSlider.svelte slider-from": "a slider: arrows move it",
  "history/RevisionSlider.svelte slider-to": "a slider: arrows move it",
  "search/ResultGroup.svelte search-more": "reached by Tab from the last result of its group",
  "sessions/SessionsSection.svelte session-end": "one for each browser, reached by Tab",
  "sessions/SessionsSection.svelte session-end-others": "rare, and reached by Tab from the last browser",
  "sessions/SessionsSection.svelte session-sign-out": "rare, and reached by Tab",
  "vision/KeyField.svelte vision-key-decline": "reached by Tab from the button that allows the key",
  "vision/KeyField.svelte vision-key-delete": "reached by Tab from the field, which Enter saves",
  "vision/KeyField.svelte vision-keyless": "a setting, reached by Tab",
  "vision/KeyOffer.svelte vision-offer-decline-": "a setting, reached by Tab",
  "vision/KeyOffer.svelte vision-offer-use-": "a setting, reached by Tab",
  "vision/ModelChoice.svelte vision-model-list": "a setting, reached by Tab",
  "vision/ModelChoice.svelte vision-models": "reached by Tab from the model",
  "vision/VisionSection.svelte vision-tesseract": "reached by Tab from the command",
  "wiki/links/MapGraph.svelte link-map-more": "reached by arrows from the last page on its side",
  "wiki/links/Mentions.svelte mentions-more": "reached by Tab from the last mention",
  "widgets/ChoiceField.svelte radio": "radio buttons: arrows go from one to the next",
  "widgets/FileField.svelte common.choose_file": "a field in a dialog, reached by Tab",
  "widgets/Menu.svelte menuitem": "its key stands in it",
};

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

/** Yields the controls without a key; `onclose` is the surrounding dialog's Escape handler. */
function* keyless(value: unknown, onclose: string | null = null): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* keyless(one, onclose);
  } else if (isNode(value)) {
    // A key on a label also belongs to its control.
    if (value["name"] === "label" && showsKey(value)) return;
    if (isPressed(value) && !showsKey(value) && !isAnswered(value, onclose)) yield value;
    const around = value["name"] === "Dialog" ? attribute(value, "onclose") : onclose;
    for (const child of Object.values(value)) yield* keyless(child, around);
  }
}

function isPressed(node: Node): boolean {
  return BUTTON_TAGS.has(String(node["name"])) || (node["name"] === "input" && SWITCHED.has(text(node, "type") ?? ""));
}

function showsKey({ attributes }: Node): boolean {
  return nodes(attributes).some(
    ({ type, name, ...rest }) => SHOWS.has(String(name)) || (type === "AttachTag" && /"name":"keys"/.test(JSON.stringify(rest))),
  );
}

/** True if Enter or Escape presses a button with words: it submits, or does the same as closing its dialog. */
function isAnswered(node: Node, onclose: string | null): boolean {
  if (node["name"] !== "Button") return false;
  return text(node, "type") === "submit" || (onclose !== null && attribute(node, "onclick") === onclose);
}

/** The identifier that is the value of an attribute; two inline functions are never equal. */
function attribute({ attributes }: Node, wanted: string): string | null {
  const [value] = nodes(nodes(attributes).find(({ name }) => name === wanted)?.["value"]);
  const [expression] = nodes(value?.["expression"]);
  return expression?.type === "Identifier" ? String(expression["name"]) : null;
}

/** The text of an attribute, if it is a literal. */
function text({ attributes }: Node, wanted: string): string | null {
  const [value] = nodes(nodes(attributes).find(({ name }) => name === wanted)?.["value"]);
  return value?.type === "Text" ? String(value["data"]) : null;
}

/** Names a control by its `data-testid`, its role or its words, if they are literals, or by its type. */
function nameOf(node: Node, source: string): string {
  const words = /\bt\("([^"]+)"/.exec(source.slice(Number(node["start"]), Number(node["end"])))?.[1];
  return text(node, "data-testid") ?? text(node, "role") ?? words ?? text(node, "type") ?? String(node["name"]);
}

it("every control shows its key", () => {
  const components = sourceFiles().filter((file) => file.endsWith(".svelte"));
  const found = components.flatMap((file) => {
    const source = readSource(file) ?? "";
    return [...keyless(parse(source, { modern: true }).fragment)].map((node) => `${file} ${nameOf(node, source)}`);
  });
  expect(found.sort()).toEqual(Object.keys(OTHERWISE).sort());
});
