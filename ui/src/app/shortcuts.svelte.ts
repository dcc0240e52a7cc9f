// The registry of keys: who registers a key last answers it, so that a room's key stands before the frame's.
import { SvelteMap } from "svelte/reactivity";
import type { Action, Shortcut } from "../api/host";
import { type Chord, isComposing, isMac, matchesChord, parseChord } from "../keys";

export type Scope = "everywhere" | "room";

export interface Registered extends Shortcut {
  scope: Scope;
  chord: Chord;
}

export class Shortcuts {
  readonly #entries = new SvelteMap<symbol, Registered>();

  /** `onError` is told when a shortcut's work fails. */
  constructor(private readonly onError: (error: unknown) => void) {}

  /** In the order of registration. */
  get all(): Registered[] {
    return [...this.#entries.values()];
  }

  register(shortcut: Shortcut, scope: Scope): () => void {
    const handle = Symbol(shortcut.id);
    this.#entries.set(handle, { ...shortcut, scope, chord: parseChord(shortcut.key) });
    return () => this.#entries.delete(handle);
  }

  /** For the window's `keydown`. */
  readonly handle = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event)) return;
    // What a held Enter has pressed may have brought the focus to something else, which nobody meant to press.
    if (event.repeat && event.key === "Enter" && isPressedByEnter(event.target)) return event.preventDefault();
    // An open dialog owns the keyboard.
    if (document.querySelector("dialog:modal, dialog[open][data-modal]")) return;
    const typing = isTyping(event.target);
    const found = this.all.reverse().find((entry) => {
      if (!matchesChord(entry.chord, event)) return false;
      return !typing || (entry.whileTyping ?? writesNothing(entry.chord));
    });
    if (!found) return;
    event.preventDefault();
    if (!event.repeat || found.repeats) this.run(found, event);
  };

  run(shortcut: Shortcut, event?: KeyboardEvent): void {
    void (async () => {
      try {
        await shortcut.run(event);
      } catch (error) {
        this.onError(error);
      }
    })();
  }
}

/** What the bar offers comes first, as it is what one is here for; then the rest of the room, and what can be undone. */
export function byNearness(shortcuts: readonly Registered[], actions: readonly Action[]): Registered[] {
  const offered = new Map(actions.map(({ id, primary }) => [id, primary ? 0 : 1]));
  const rank = ({ id, scope }: Registered) => {
    if (scope === "room") return offered.get(id) ?? 2;
    return id === "undo" ? 3 : 4;
  };
  return shortcuts.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether a combination is none that a person types with; on a Mac, Option writes characters. */
function writesNothing({ mod, alt }: Chord): boolean {
  return mod || (alt && !isMac());
}

function isPressedByEnter(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("a, button, input, summary");
}

const NO_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** Whether the keys of this element write text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // The editor's text also where it cannot be changed just now: what one types there is not meant for the room.
  if (target.isContentEditable || target.closest(".cm-content") !== null) return true;
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
