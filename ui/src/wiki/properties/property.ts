// Values of properties: links to pages, and the forms in which values are edited.
import type { Backend, Property, PropertyKind, PropertyValue } from "../../api/backend";
import type { Host } from "../../api/host";
import { isTag } from "../../markdown";
import type { DisplayedPage } from "../page-state.svelte";

export interface PropertiesProps {
  page: DisplayedPage;
  backend: Pick<Backend, "pages">;
  host: Host;
  /** The moment at which the page is shown; null for the present. */
  at: string | null;
  /** True if the newest text of the page can be changed. */
  editable: boolean;
  /** True while a new property is entered. */
  adding: boolean;
  onadded: () => void;
  /** Called after a change was saved. */
  onchanged: () => Promise<void>;
}

/** The kinds that a value can be given. */
export const KINDS = ["text", "number", "date", "check", "list", "tags", "page"] as const satisfies readonly PropertyKind[];

/** The names of the fields that hold tags. */
const TAG_FIELDS = new Set(["tags", "tag", "keywords"]);

/** The web address in a value that is nothing else. */
export function addressOf(value: string): string | null {
  return /^https?:\/\/\S+$/i.test(value) ? value : null;
}

/** The kind in whose form a property is edited. */
export function editedKind({ name, kind }: Property): PropertyKind {
  if (TAG_FIELDS.has(name)) return "tags";
  return kind === "empty" ? "text" : kind;
}

/** A value as it is typed: lists have an item in each line, pages are without their brackets. */
export function typedOf({ kind, values }: Property): string {
  if (kind === "page") return values.map((value) => value.slice(2, -2)).join("");
  return values.join("\n");
}

/** The value that was typed; an empty text is a name without a value. */
export function valueOf(kind: PropertyKind, typed: string): PropertyValue {
  if (kind === "list" || kind === "tags") {
    const separators = kind === "tags" ? /[\n,、]/ : /\n/;
    return { kind, values: typed.split(separators).map((item) => item.trim()).filter((item) => item !== "") };
  }
  if (kind === "check") return { kind, values: [typed === "true" ? "true" : "false"] };
  const value = typed.trim();
  if (value === "") return { kind: "empty", values: [] };
  return { kind, values: [kind === "page" ? `[[${value.startsWith("/") ? value : `/${value}`}]]` : value] };
}

/** Returns the first value that can't be a tag, unless the property has it already; null if there is none. */
export function invalidTag({ kind, values }: PropertyValue, before: Property | null): string | null {
  if (kind !== "tags") return null;
  const names = values.map((value) => value.replace(/^#+/, ""));
  return names.find((name) => !isTag(name) && !before?.values.includes(name)) ?? null;
}
