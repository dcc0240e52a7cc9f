// Desktop notifications about the end of long work: its user may be in another window.
import type { Backend, DesktopNotification, Job } from "../api/backend";
import { hasCode } from "../api/errors";
import { errorMessage, t } from "../i18n";
import { isEnded } from "./job-watch.svelte";
import { reasonOf } from "./outcome";

/** Shorter work, in milliseconds, needs no notification: its user is still there. */
export const LONG_MS = 5_000;

interface Work {
  /** The work in words. */
  what: string;
  /** Where the user finds the outcome. */
  address: string;
}

interface Ending {
  /** The reason why it did not succeed, wholly or in part; null if it did. */
  reason: unknown;
  /** True if nothing was done. */
  isTotal: boolean;
}

/** Notifies of the end of work that the window does itself, unless the user stopped it. */
export function notifyEnd(desktop: Backend["desktop"], { what, address }: Work, { reason, isTotal }: Ending): void {
  if (desktop === null || hasCode(reason, "cancelled")) return;
  const title = t(isTotal ? "jobs.ended_badly" : "jobs.ended", { what });
  send(desktop, { title, body: reason === null ? "" : errorMessage(reason), address });
}

/** Notifies of the end of a job that was started here and that no view shows. */
export function notifyWhenEnded({ desktop, events, jobs }: Pick<Backend, "desktop" | "events" | "jobs">, id: string, work: Work): void {
  if (desktop === null) return;
  const check = async () => {
    const job = await jobs.get(id);
    if (!isEnded(job) || stops.length === 0) return;
    stops.splice(0).forEach((stop) => stop());
    if (isLong(job) && job.state !== "cancelled") {
      const title = t(job.state === "failed" ? "jobs.ended_badly" : "jobs.ended", { what: work.what });
      send(desktop, { title, body: job.state === "failed" ? reasonOf(job, { describe: errorMessage }) : "", address: work.address });
    }
  };
  // A failure concerns the connection, which the frame reports; `resync` reads again.
  const read = () => void check().catch(() => {});
  const stops = [events.on("job.progress", ({ job_id, state }) => (job_id === id && isEnded({ state }) ? read() : undefined)), events.on("resync", read)];
  read();
}

/** True for a job that ended long after its start. */
export function isLong({ started_at, ended_at }: Pick<Job, "started_at" | "ended_at">): boolean {
  return Boolean(ended_at) && Date.parse(ended_at ?? "") - Date.parse(started_at) >= LONG_MS;
}

function send(desktop: NonNullable<Backend["desktop"]>, notification: DesktopNotification): void {
  // Without a notification service, the messages of the page remain.
  desktop.notify(notification).catch(() => {});
}
