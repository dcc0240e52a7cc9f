// Whatever can be pressed shows a key: on itself, or in its tooltip.
import { parse } from "svelte/compiler";
import { expect, it } from "vitest";
import { readSource, sourceFiles } from "./source-keys";

interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

const PRESSED = new Set(["Button", "IconButton", "button"]);
const SHOWS = new Set(["hint", "shortcut", "keys", "aria-keyshortcuts"]);

/** What is reached without a key of its own, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "past/PathField.svelte move-place": "a suggestion in a dialog, reached by Tab",
  "past/RevisionList.svelte revision-choose": "a row: J and K go from one to the next",
  "widgets/Menu.svelte menuitem": "its key stands in it",
};

/** Dialogs answer Enter and Escape, forms Enter. */
function isAnswered(node: Node): boolean {
  return node["name"] === "Dialog" || node["name"] === "form";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function* keyless(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* keyless(one);
  } else if (isNode(value) && !isAnswered(value)) {
    if (typeof value["name"] === "string" && PRESSED.has(value["name"]) && !showsKey(value)) yield value;
    for (const child of Object.values(value)) yield* keyless(child);
  }
}

function showsKey({ attributes }: Node): boolean {
  const given = Array.isArray(attributes) ? attributes.filter(isNode) : [];
  return given.some(({ type, name, ...rest }) => SHOWS.has(String(name)) || (type === "AttachTag" && /"name":"keys"/.test(JSON.stringify(rest))));
}

/** By its `data-testid` or its role, as far as they are written down. */
function nameOf({ attributes, start }: Node): string {
  const given = Array.isArray(attributes) ? attributes.filter(isNode) : [];
  const texts = ["data-testid", "role"].flatMap((wanted) => {
    const value = given.find(({ name }) => name === wanted)?.["value"];
    const [text] = Array.isArray(value) ? value.filter(isNode) : [];
    return text?.type === "Text" ? [String(text["data"])] : [];
  });
  return texts[0] ?? `at ${String(start)}`;
}

it("every button shows its key", () => {
  const components = sourceFiles().filter((file) => file.endsWith(".svelte"));
  const found = components.flatMap((file) => {
    const { fragment } = parse(readSource(file) ?? "", { modern: true });
    return [...keyless(fragment)].map((node) => `${file} ${nameOf(node)}`);
  });
  expect(found.sort()).toEqual(Object.keys(OTHERWISE).sort());
});
