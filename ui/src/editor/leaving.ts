// All the ways out of the editor but saving: each keeps the text or asks first, and gives the lock back.
import type { Host } from "../api/host";
import type { EditSession } from "./edit-session.svelte";
import type { Bringing } from "./files/bringing.svelte";

/** A server that gives no answer at all must not hold anybody here. */
const PATIENCE_MS = 2_000;

export class Leaving {
  constructor(
    private readonly session: EditSession,
    private readonly bringing: Pick<Bringing, "now" | "settled">,
    private readonly host: Host,
    private readonly goToPage: () => Promise<unknown>,
  ) {}

  /** Watches over every way out; returns how to stop. */
  listen(): () => void {
    const { host, session } = this;
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (session.dirty || this.bringing.now !== null) event.preventDefault();
    };
    const onHidden = () => {
      if (document.visibilityState === "hidden") void session.flush();
      else session.wake();
    };
    const onBack = () => session.wake();
    window.addEventListener("beforeunload", onBeforeUnload);
    window.addEventListener("online", onBack);
    window.addEventListener("pageshow", onBack);
    document.addEventListener("visibilitychange", onHidden);
    const stops = [host.beforeLeave(() => this.#mayLeave()), host.onWindowClosing((anyway) => session.close(anyway))];
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener("beforeunload", onBeforeUnload);
      window.removeEventListener("online", onBack);
      window.removeEventListener("pageshow", onBack);
      document.removeEventListener("visibilitychange", onHidden);
    };
  }

  /** The person stops editing and means to lose what is unsaved. */
  async cancel(): Promise<void> {
    const { host, session } = this;
    if (session.dirty && !(await this.#confirmCancel())) return;
    try {
      await inTime(session.discard());
    } catch {
      host.toast(host.t("editor.discard_failed"), { tone: "warn" });
    }
    await this.goToPage();
  }

  #confirmCancel(): Promise<boolean> {
    const { t } = this.host;
    return this.host.confirm({
      title: t("editor.cancel_title"),
      message: t("editor.cancel_message"),
      confirm: t("editor.cancel_confirm"),
      cancel: t("editor.cancel_stay"),
      danger: true,
    });
  }

  /** Another address: the text stays in the journal. */
  async #mayLeave(): Promise<boolean> {
    const { host, session } = this;
    if (session.phase.kind !== "editing") return true;
    await Promise.race([this.bringing.settled(), pause()]);
    if (this.bringing.now !== null && !(await this.#confirmUnlinked())) return false;
    await Promise.race([session.flush(), pause()]);
    if (session.dirty && !(await this.#confirmLeave())) return false;
    try {
      await inTime(session.leave());
    } catch {
      // The lock ends by itself; the person who leaves is told, and not held back.
      host.toast(host.t("editor.release_failed"), { tone: "warn" });
    }
    return true;
  }

  /** A file that comes later stays with the page, but nothing links to it. */
  #confirmUnlinked(): Promise<boolean> {
    const { t } = this.host;
    return this.host.confirm({
      title: t("editor.leave_bringing_title"),
      message: t("editor.leave_bringing", { name: this.bringing.now?.label ?? "" }),
      confirm: t("editor.leave"),
      cancel: t("editor.cancel_stay"),
    });
  }

  #confirmLeave(): Promise<boolean> {
    const { t } = this.host;
    const unkept = this.session.journal.kind !== "kept";
    return this.host.confirm({
      title: t("editor.leave_title"),
      message: t(unkept ? "editor.leave_message_unkept" : "editor.leave_message"),
      confirm: t("editor.leave"),
      cancel: t("editor.cancel_stay"),
      danger: unkept,
    });
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}

/** Rejects when the work takes longer than anybody should wait for it; the work itself goes on. */
async function inTime(work: Promise<void>): Promise<void> {
  await Promise.race([
    work,
    pause().then(() => {
      throw new Error("no answer in time");
    }),
  ]);
}
