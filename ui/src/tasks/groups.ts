// The groups of the list of tasks: by due date, or by page.
import type { TaskItem } from "../api/backend";
import { dateFormat, formatDay, t } from "../i18n";
import { nameOfPage } from "../markdown/links/page-path";
import type { Grouping } from "./address";

/** A task in the list. */
export interface TaskRow {
  task: TaskItem;
  /** The heading above the first task of a group. */
  heading: string | null;
  isOverdue: boolean;
}

/** Returns the rows of tasks that follow `before`; `today` is a day as `2026-12-01`. */
export function rowsAfter(before: readonly TaskRow[], tasks: readonly TaskItem[], group: Grouping, today: string): TaskRow[] {
  let last = before.at(-1)?.task;
  return tasks.map((task) => {
    const isFirst = last === undefined || keyOf(last, group, today) !== keyOf(task, group, today);
    last = task;
    return { task, heading: isFirst ? headingOf(task, group, today) : null, isOverdue: isOverdue(task, today) };
  });
}

/** Returns a local day as `2026-12-01`. */
export function dayOf(time: Date): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
}

export function pageName({ title, path }: Pick<TaskItem, "title" | "path">): string {
  return title || nameOfPage(path) || t("tree.top");
}

/** Identifies a task among the others. */
export function idOf({ task }: TaskRow): string {
  return `${task.page_id} ${task.line}`;
}

function isOverdue({ due }: TaskItem, today: string): boolean {
  return typeof due === "string" && due < today;
}

function keyOf(task: TaskItem, group: Grouping, today: string): string {
  if (group === "page") return task.page_id;
  return isOverdue(task, today) ? "overdue" : (task.due ?? "none");
}

function headingOf(task: TaskItem, group: Grouping, today: string): string {
  if (group === "page") return pageName(task);
  const { due } = task;
  if (typeof due !== "string") return t("tasks.no_date");
  if (due < today) return t("tasks.overdue");
  if (due === today) return t("tasks.today");
  return due === dayAfter(today) ? t("tasks.tomorrow") : weekday(due);
}

function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, day.length);
}

/** "Fri, 4 Dec 2026". */
function weekday(day: string): string {
  const name = dateFormat({ weekday: "short", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
  return t("tasks.day", { day: formatDay(day), weekday: name });
}
