// How a backup and its pages are shown.
import type { BackupPageItem } from "../api/backend";
import { formatDateTime } from "../i18n";
import { nameOfPage } from "../markdown/links/page-path";

const STAMP = /^fumikura-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z/u;

/** The time in the name of a backup; the name itself if it has none. */
export function timeOf(name: string): string {
  const [, day, hour, minute, second] = STAMP.exec(name) ?? [];
  return day === undefined ? name : formatDateTime(`${day}T${hour}:${minute}:${second}Z`);
}

export function nameOf({ title, path }: Pick<BackupPageItem, "title" | "path">): string {
  return title ?? nameOfPage(path);
}
