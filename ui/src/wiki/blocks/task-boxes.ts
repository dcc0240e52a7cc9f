// The task checkboxes of an open page: pressed by mouse or space, saved one after the other.
import type { Backend } from "../../api/backend";
import type { Host } from "../../api/host";
import type { PageState, DisplayedPage } from "../page-state.svelte";
import { toggleTask } from "../../editing/task-toggle";

const BOX = ".task-box[data-task]";

/** A press: the number of a task in the page that was shown then. */
interface Wish {
  page: DisplayedPage;
  task: number;
  done: boolean;
}

export class TaskBoxes {
  #article: HTMLElement | null = null;
  #queue: Promise<void> = Promise.resolve();
  /** The text of the last save; the page on the screen may be a moment older. */
  #written: { id: string; revisionBefore: number; text: string } | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly host: Host,
    private readonly reading: PageState,
  ) {}

  /** Resolves when all presses are saved, or their failures reported. */
  get settled(): Promise<void> {
    return this.#queue;
  }

  /** Called whenever the article has been drawn. */
  drawn(article: HTMLElement): void {
    if (this.#article !== article) {
      this.#article = article;
      article.addEventListener("click", (event) => this.#press(event));
      article.addEventListener("keydown", (event) => {
        if (event.key === " ") this.#press(event);
      });
    }
    const page = this.reading.page;
    if (page === null || page.deleted || page.isPast || page.revision < page.latest) return;
    for (const box of article.querySelectorAll<HTMLElement>(BOX)) {
      box.removeAttribute("aria-disabled");
      box.tabIndex = 0;
    }
  }

  #press(event: Event): void {
    const box = event.target instanceof Element ? event.target.closest<HTMLElement>(BOX) : null;
    if (box === null || box.hasAttribute("aria-disabled")) return;
    event.preventDefault();
    const isHeld = event instanceof KeyboardEvent && event.repeat;
    const { page } = this.reading;
    if (page === null || isHeld || box.hasAttribute("aria-busy")) return;
    const done = box.getAttribute("aria-checked") !== "true";
    // Shows the intended state at once; the next page shows the outcome.
    box.setAttribute("aria-checked", String(done));
    box.setAttribute("aria-busy", "true");
    const task = Number.parseInt(box.dataset["task"] ?? "", 10);
    this.#queue = this.#queue.then(() => this.#tick(box, { page, task, done }));
  }

  async #tick(box: HTMLElement, wish: Wish): Promise<void> {
    const { task, done } = wish;
    const hadFocus = box === document.activeElement;
    try {
      if (await this.#save(wish)) return;
      box.setAttribute("aria-checked", String(!done));
      this.host.toast(this.host.t("reading.task_moved_on"), { tone: "warn" });
    } catch (error) {
      box.setAttribute("aria-checked", String(!done));
      this.host.toast(this.host.t("reading.task_failed", { reason: this.host.describe(error) }), { tone: "warn" });
    } finally {
      box.removeAttribute("aria-busy");
      await this.reading.refresh();
      if (hadFocus) this.#focusAgain(task);
    }
  }

  async #save({ page: pressed, task, done }: Wish): Promise<boolean> {
    const { page } = this.reading;
    const line = page?.tasks[task];
    if (page === null || line === undefined || !isSameExceptTasks(page, pressed)) return false;
    const { id, revision } = page;
    const isOurs = this.#written?.id === id && this.#written.revisionBefore === revision;
    const text = isOurs && this.#written ? this.#written.text : page.text;
    const ticked = await toggleTask(this.backend, { id, text }, line, done);
    if (ticked.kind === "moved_on") return false;
    this.#written = { id, revisionBefore: revision, text: ticked.text };
    return true;
  }

  /** The list around the box has been redrawn; keyboard users keep their position. */
  #focusAgain(task: number): void {
    if (document.activeElement !== document.body) return;
    this.#article?.querySelector<HTMLElement>(`.task-box[data-task^="${task}."]`)?.focus({ preventScroll: true });
  }
}

/** True if the texts only differ in marks that earlier presses have changed. */
function isSameExceptTasks(one: DisplayedPage, other: DisplayedPage): boolean {
  const bare = ({ text }: DisplayedPage) => text.replace(/\[[ xX]\]/g, "[ ]");
  return one.id === other.id && (one.text === other.text || bare(one) === bare(other));
}
