// A handle at the corner of each picture in the preview that changes its width: dragged by the pointer, moved by the
// arrow keys. The text is changed when the handle is released, or when the keys rest.
import type { Translate } from "../../i18n";
import { PAGE_PICTURES, type WrittenSize } from "../../editing/files/picture-width";
import "./picture-handles.css";

const MIN_WIDTH = 16;
const STEP = 16;
/** The pause after the last key, in milliseconds. */
const REST = 500;

export interface PictureHandlesOptions {
  t: Translate;
  article: () => HTMLElement | null;
  /** Sets the size of the picture of that number in the text, or its own size; false if it can't be changed. */
  resize: (index: number, size: WrittenSize | null) => boolean;
}

/** A picture whose text was changed: its block is rendered again. */
interface Resized {
  index: number;
  ratio: string;
  hadFocus: boolean;
}

export class PictureHandles {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending: (() => void) | null = null;
  #resized: Resized | null = null;

  constructor(private readonly options: PictureHandlesOptions) {}

  /** Adds handles to a new block, before it is painted. */
  add(block: HTMLElement): void {
    for (const picture of block.querySelectorAll<HTMLImageElement>(PAGE_PICTURES)) this.#wrap(picture);
  }

  /** Called when the blocks are in their places: a resized picture keeps its space and its focus. */
  placed(): void {
    const resized = this.#resized;
    if (resized === null) return;
    const picture = this.#pictures()[resized.index];
    if (picture?.complete === false && !picture.classList.contains("boxed")) picture.style.aspectRatio = resized.ratio;
    if (resized.hadFocus) picture?.parentElement?.querySelector<HTMLElement>(".picture-grip")?.focus({ preventScroll: true });
    this.#resized = null;
  }

  stop(): void {
    this.#settle();
  }

  #pictures(): HTMLImageElement[] {
    return [...(this.options.article()?.querySelectorAll<HTMLImageElement>(PAGE_PICTURES) ?? [])];
  }

  #wrap(picture: HTMLImageElement): void {
    const { ownerDocument: document } = picture;
    const box = document.createElement("span");
    box.className = "picture-box-resized";
    const grip = document.createElement("span");
    grip.className = "picture-grip";
    grip.tabIndex = 0;
    grip.role = "slider";
    grip.dataset["testid"] = "picture-width";
    grip.setAttribute("aria-label", this.options.t("editor.picture_width", { name: picture.alt || nameOf(picture) }));
    grip.setAttribute("aria-valuemin", String(MIN_WIDTH));
    grip.setAttribute("aria-valuenow", picture.getAttribute("width") ?? String(MIN_WIDTH));
    grip.title = this.options.t("editor.picture_width_keys");
    picture.replaceWith(box);
    box.append(picture, grip);
    grip.addEventListener("pointerdown", (event) => this.#drag(event, picture, grip));
    grip.addEventListener("keydown", (event) => this.#onkey(event, picture, grip));
    grip.addEventListener("focus", () => announce(picture, grip));
    grip.addEventListener("blur", () => this.#settle());
    grip.addEventListener("dblclick", () => this.#write(picture, grip, null));
    // A picture may be a link.
    grip.addEventListener("click", (event) => event.preventDefault());
  }

  #drag(down: PointerEvent, picture: HTMLImageElement, grip: HTMLElement): void {
    if (down.button !== 0 || down.detail > 1) return;
    down.preventDefault();
    grip.focus({ preventScroll: true });
    const start = picture.getBoundingClientRect().width;
    const restore = memoryOf(picture);
    const dragging = new AbortController();
    const { signal } = dragging;
    let width = start;
    grip.setPointerCapture(down.pointerId);
    grip.dataset["dragged"] = "";
    const end = (isKept: boolean) => {
      dragging.abort();
      delete grip.dataset["dragged"];
      if (!isKept) restore();
      else if (Math.round(width) !== Math.round(start)) this.#write(picture, grip, width, restore);
    };
    const move = ({ clientX }: PointerEvent) => show(picture, grip, (width = within(start + clientX - down.clientX, picture)));
    grip.addEventListener("pointermove", move, { signal });
    grip.addEventListener("pointerup", () => end(true), { signal });
    grip.addEventListener("pointercancel", () => end(false), { signal });
    grip.addEventListener("keydown", (event) => (event.key === "Escape" ? (event.stopPropagation(), end(false)) : undefined), { signal });
  }

  #onkey(event: KeyboardEvent, picture: HTMLImageElement, grip: HTMLElement): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const width = picture.getBoundingClientRect().width;
    const step = event.shiftKey ? 1 : STEP;
    const to = { ArrowLeft: width - step, ArrowDown: width - step, ArrowRight: width + step, ArrowUp: width + step, Home: MIN_WIDTH, End: Infinity }[event.key];
    if (event.key === "Delete" || event.key === "Backspace") this.#write(picture, grip, null);
    else if (to === undefined) return;
    else {
      const restore = this.#pending === null ? memoryOf(picture) : () => {};
      const target = within(to, picture);
      show(picture, grip, target);
      clearTimeout(this.#timer);
      this.#pending = () => this.#write(picture, grip, target, restore);
      this.#timer = setTimeout(() => this.#settle(), REST);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    const write = this.#pending;
    this.#pending = null;
    write?.();
  }

  #write(picture: HTMLImageElement, grip: HTMLElement, to: number | null, restore: () => void = () => {}): void {
    const index = this.#pictures().indexOf(picture);
    const { naturalWidth, naturalHeight } = picture;
    const box = boxOf(picture);
    const width = to === null ? null : Math.round(to);
    const size = width === null ? null : { width, height: box === null ? null : Math.max(1, Math.round(width * box)) };
    this.#resized = { index, ratio: naturalWidth > 0 ? `auto ${naturalWidth} / ${naturalHeight}` : "", hadFocus: document.activeElement === grip };
    if (index >= 0 && this.options.resize(index, size)) return;
    this.#resized = null;
    restore();
  }
}

/** The height of a picture's box by its width; null for a picture with its own proportions. */
function boxOf(picture: HTMLImageElement): number | null {
  const [width, height] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
  return picture.classList.contains("boxed") && width && height ? height / width : null;
}

function within(width: number, picture: HTMLImageElement): number {
  const column = picture.closest("article")?.clientWidth ?? Infinity;
  return Math.max(MIN_WIDTH, Math.min(column || Infinity, width));
}

function show(picture: HTMLImageElement, grip: HTMLElement, width: number): void {
  if (boxOf(picture) === null) picture.removeAttribute("height");
  picture.style.width = `${Math.round(width)}px`;
  announce(picture, grip, width);
}

function announce(picture: HTMLImageElement, grip: HTMLElement, width = picture.getBoundingClientRect().width): void {
  grip.setAttribute("aria-valuenow", String(Math.round(width)));
  grip.setAttribute("aria-valuemax", String(Math.round(within(Infinity, picture))));
  grip.dataset["width"] = String(Math.round(width));
}

/** Returns a function that restores the size. */
function memoryOf(picture: HTMLImageElement): () => void {
  const height = picture.getAttribute("height");
  const { width } = picture.style;
  return () => {
    picture.style.width = width;
    if (height !== null) picture.setAttribute("height", height);
  };
}

function nameOf(picture: HTMLImageElement): string {
  return new URL(picture.src, location.href).searchParams.get("file") ?? "";
}
