// The words of the list of tasks, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "tasks.title": "Tasks",
  "tasks.show": "Show open tasks",
  "tasks.group": "Group by",
  "tasks.group_due": "By due date",
  "tasks.group_page": "By page",
  "tasks.group_next": "Change the grouping",
  "tasks.tag": "Tag",
  "tasks.all_tags": "All tags",
  "tasks.tag_option": "#{tag} ({count})",
  "tasks.tick": "Done",
  "tasks.tick_task": "Done: {task}",
  "tasks.done": "Done: {task}",
  "tasks.overdue": "Overdue",
  "tasks.overdue_since": "Overdue: {day}",
  "tasks.due": "Due {day}",
  "tasks.today": "Today",
  "tasks.tomorrow": "Tomorrow",
  "tasks.day": "{weekday}, {day}",
  "tasks.no_date": "No due date",
  "tasks.count": { one: "{count} open task", other: "{count} open tasks" },
  "tasks.list": "Open tasks",
  "tasks.loading": "Loading tasks",
  "tasks.failed": "Couldn’t load the tasks",
  "tasks.empty_title": "No open tasks",
  "tasks.empty": "A line such as “- [ ] Water the moss 📅 2026-12-01” in a page is listed here.",
  "tasks.none": "No open task has the tag #{tag}.",
  "tasks.show_all": "Show all tasks",
  "tasks.moved_on": "This task has changed on its page meanwhile, so nothing was ticked. The list is up to date now.",
  "tasks.tick_failed": "The task couldn’t be ticked: {reason}",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
