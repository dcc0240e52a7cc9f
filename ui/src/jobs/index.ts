// The display of long-running jobs, shared by the views that start them.
export { default as JobLine } from "./JobLine.svelte";
export { isEnded, JobWatch } from "./job-watch.svelte";
export { JOB_KEYS, type ShownJob, type ShownKind } from "./keys";
export { nameOf, percentOf, stateOf } from "./progress";
export { type Outcome, reasonOf } from "./outcome";
