// The options that the fences of pictures have in common: those of the box, and the order. Values are data, never HTML.
import type { SortKey, SortOrder } from "../../api/backend";

export interface BoxOptions {
  sort?: SortKey;
  order?: SortOrder;
  /** The maximum number of pictures. */
  limit: number;
  /** The number of rows that fit into the box; further ones are scrolled to. */
  rows: number;
  /** The side of a picture's square, in pixels. */
  size: number;
}

export type OptionFault = { kind: "no option"; name: string } | { kind: "bad value"; name: string; value: string };

const SORTS: readonly string[] = ["name", "taken", "modified", "size", "type"] satisfies SortKey[];
const ORDERS: readonly string[] = ["asc", "desc"] satisfies SortOrder[];
const NUMBERS: Readonly<Record<string, { least: number; most: number }>> = {
  limit: { least: 1, most: 500 },
  rows: { least: 1, most: 10 },
  size: { least: 48, most: 512 },
};
const USUAL = { limit: 60, rows: 2, size: 160 };
export const BOX_OPTIONS = ["sort", "order", "limit", "rows", "size"];

/** Reads a fence with the options of the box, and others of these names. */
export function readBox(source: string, others: readonly string[]): (BoxOptions & Record<string, unknown>) | OptionFault {
  const values = new Map<string, string>();
  for (const line of source.split("\n")) {
    if (line.trim() === "") continue;
    const [, name = line.trim(), value = ""] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    const fault = faultOf(name, value, others);
    if (fault !== null) return fault;
    values.set(name, value);
  }
  const read = Object.fromEntries(values);
  const numbers = Object.entries(USUAL).map(([name, usual]) => [name, Number(read[name] ?? usual)]);
  // `faultOf` has validated every field.
  return { ...read, ...Object.fromEntries(numbers) } as BoxOptions & Record<string, unknown>;
}

function faultOf(name: string, value: string, others: readonly string[]): OptionFault | null {
  const bad: OptionFault = { kind: "bad value", name, value };
  if (name === "rating" && others.includes(name)) return /^[1-5]$/.test(value) ? null : bad;
  if (others.includes(name)) return null;
  if (name === "sort") return SORTS.includes(value) ? null : bad;
  if (name === "order") return ORDERS.includes(value) ? null : bad;
  const range = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
  if (range === undefined) return { kind: "no option", name };
  return /^\d{1,4}$/.test(value) && Number(value) >= range.least && Number(value) <= range.most ? null : bad;
}
