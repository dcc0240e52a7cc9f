// The contents of the table of pages as plain text.
import type { QueriedPage } from "../api/backend";
import { formatAgo, formatDay, t } from "../i18n";
import { nameOfPage } from "../markdown/links/page-path";
import { pageLinkOf } from "../markdown/links/page-value";

export function titleOfRow({ title, path }: QueriedPage): string {
  return title || nameOfPage(path) || t("tree.top");
}

/** Returns the text of a column: that of a property, or of what every page has. */
export function textOf(page: QueriedPage, column: string, now: Date): string {
  const property = page.properties.find(({ name }) => name === column);
  if (property === undefined) return ownText(page, column, now);
  const { kind, values } = property;
  if (kind === "check") return values[0]?.toLowerCase() === "true" ? "✓" : "–";
  if (kind === "date") return formatDay(values[0] ?? "");
  return values.map((value) => (kind === "tags" ? `#${value}` : (pageLinkOf(value)?.label ?? value))).join(", ");
}

function ownText(page: QueriedPage, column: string, now: Date): string {
  switch (column) {
    case "path":
      return page.path;
    case "tags":
      return page.tags.map((tag) => `#${tag}`).join(" ");
    case "updated":
      return formatAgo(page.updated, now);
    case "author":
      return page.user_name;
    default:
      return "";
  }
}

/** Returns the heading of a column. */
export function headingOf(column: string): string {
  switch (column) {
    case "title":
      return t("pages.title");
    case "path":
      return t("pages.path");
    case "tags":
      return t("pages.tags");
    case "updated":
      return t("pages.updated");
    case "author":
      return t("pages.author");
    default:
      return column;
  }
}
