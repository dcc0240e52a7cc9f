// The address of the list of tasks: its grouping and its tag.

export const TASKS_ADDRESS = "/tasks";

export const GROUPINGS = ["due", "page"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface TasksPlace {
  group: Grouping;
  /** Empty for all tasks. */
  tag: string;
}

/** Parses an address of the list; null for any other address. */
export function parseTasksAddress({ pathname, searchParams }: URL): TasksPlace | null {
  if (pathname !== TASKS_ADDRESS) return null;
  return { group: searchParams.get("group") === "page" ? "page" : "due", tag: searchParams.get("tag") ?? "" };
}

export function tasksAddress({ group, tag }: TasksPlace): string {
  const query = new URLSearchParams({ ...(group !== "due" && { group }), ...(tag !== "" && { tag }) }).toString();
  return query === "" ? TASKS_ADDRESS : `${TASKS_ADDRESS}?${query}`;
}
