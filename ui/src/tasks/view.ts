// The open tasks of all pages, as a view.
import { defineView, once } from "../view/definition";
import { parseTasksAddress, TASKS_ADDRESS } from "./address";

export const loadTasks = once(() => import("./TasksView.svelte"));

export const tasks = defineView({
  addresses: [TASKS_ADDRESS],
  title: "tasks.title",
  section: "wiki",
  parse: parseTasksAddress,
  command: { id: "go-tasks", label: "tasks.show", key: "q", address: TASKS_ADDRESS },
  load: loadTasks,
  component: (code) => code.default,
});
