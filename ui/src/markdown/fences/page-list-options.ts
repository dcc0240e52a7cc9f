// The contents of a fence of the language `pages`: a query for pages, and the columns of their table.
import type { PageCondition, PageQuery } from "../../api/backend";
import { normalizePagePath } from "../links/page-path";

/** The page with the fence. */
export interface PageListPlace {
  path: string;
  /** Null for a page that was never saved. */
  id: string | null;
}

export interface PageListOptions {
  query: PageQuery;
  columns: string[];
}

export type PageListFault =
  | { kind: "no option"; name: string }
  | { kind: "bad value"; name: string; value: string };

export const PAGE_LIST_OPTIONS = ["from", "tag", "where", "linked", "recent", "search", "columns", "sort", "limit"] as const;

const COMPARISONS = { "=": "is", "!=": "is_not", "<": "less", "<=": "at_most", ">": "more", ">=": "at_least", "~": "contains" } as const;
const CONDITION = /^(.+?)\s*(!=|<=|>=|=|<|>|~)\s*(.*)$/;
const USUAL_LIMIT = 50;
const MOST = 1000;

export function readPageList(source: string, place: PageListPlace): PageListOptions | PageListFault {
  const options: PageListOptions = { query: { where: [], limit: USUAL_LIMIT }, columns: ["title"] };
  for (const line of source.split("\n")) {
    if (line.trim() === "") continue;
    const [, name = line.trim(), value = ""] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (!(PAGE_LIST_OPTIONS as readonly string[]).includes(name)) return { kind: "no option", name };
    if (!apply(options, name as (typeof PAGE_LIST_OPTIONS)[number], value, place)) return { kind: "bad value", name, value };
  }
  return options;
}

export function isPageListFault(read: PageListOptions | PageListFault): read is PageListFault {
  return "kind" in read;
}

/** Returns false if the value does not fit its option. */
function apply({ query, ...options }: PageListOptions, name: (typeof PAGE_LIST_OPTIONS)[number], value: string, place: PageListPlace): boolean {
  switch (name) {
    case "from": {
      query.children = value === "children";
      query.below = value === "children" ? place.path : value.startsWith("/") ? normalizePagePath(value) : null;
      return query.below !== null;
    }
    case "tag":
      query.tag = value.replace(/^#/, "");
      return query.tag !== "";
    case "where": {
      const condition = conditionOf(value);
      query.where?.push(condition);
      return condition.property !== "";
    }
    case "linked":
      query.linked_to = place.id;
      return value === "here" && place.id !== null;
    case "recent":
      query.sort = { by: "updated", descending: true };
      return value === "" || limit(query, value);
    case "search":
      query.text = value;
      return value !== "";
    case "columns":
      options.columns.splice(0, Infinity, ...value.split(/[,、]/).map((column) => column.trim()).filter((column) => column !== ""));
      return options.columns.length > 0;
    case "sort":
      query.sort = { by: value.replace(/^-|\s+(?:asc|desc)$/g, ""), descending: /^-|\sdesc$/.test(value) };
      return query.sort.by !== "";
    case "limit":
      return limit(query, value);
  }
}

function limit(query: PageQuery, value: string): boolean {
  query.limit = Number(value);
  return /^\d{1,4}$/.test(value) && query.limit >= 1 && query.limit <= MOST;
}

/** A condition such as `rating >= 4`; a name alone means that the property exists. */
function conditionOf(written: string): PageCondition {
  const [, property = written, sign = "", value = ""] = CONDITION.exec(written) ?? [];
  if (sign === "") return { property: property.trim(), comparison: "exists", value: "" };
  return { property: property.trim(), comparison: COMPARISONS[sign as keyof typeof COMPARISONS], value: value.replace(/^"(.*)"$/, "$1") };
}
