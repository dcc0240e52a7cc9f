// The registry of keys: a view's key precedes the frame's, and a later registration an earlier one.
import { SvelteMap } from "svelte/reactivity";
import type { Action, Shortcut } from "../../api/host";
import { typedAhead } from "../../editing/typed-ahead";
import { type Chord, isComposing, isMac, matchesChord, parseChord } from "../../keys";

export type Scope = "everywhere" | "view";

export interface Registered extends Shortcut {
  scope: Scope;
  /** The key before the user changed it. */
  usual: string;
  chord: Chord;
  /** False while the view that it belongs to has no keys. */
  isActive: () => boolean;
}

export class Shortcuts {
  readonly #entries = new SvelteMap<symbol, Registered>();
  /** The id that `runNamed` waits for. */
  #awaited: string | null = null;
  /** Compared by its text: registering another shortcut does not draw every key anew. */
  readonly #changed = $derived(JSON.stringify(this.#changes()));
  /** The present keys of the active shortcuts by their usual ones, where these differ. */
  readonly changed: ReadonlyMap<string, string> = $derived(new Map(JSON.parse(this.#changed) as [string, string][]));

  /** `onError` is called if a shortcut's work fails; `chosen` are the keys that the user has changed, by ids. */
  constructor(
    private readonly onError: (error: unknown) => void,
    private readonly chosen: () => Readonly<Record<string, string>> = () => ({}),
  ) {}

  /** The active ones, in the order of registration. */
  get all(): Registered[] {
    const chosen = this.chosen();
    return [...this.#entries.values()].flatMap((entry) => {
      if (!entry.isActive()) return [];
      const key = chosen[entry.id] ?? entry.usual;
      return [key === entry.key ? entry : { ...entry, key, chord: parseChord(key) }];
    });
  }

  /** Of two actions with the same usual key, the one that it runs counts. */
  #changes(): [string, string][] {
    const chosen = this.chosen();
    if (Object.keys(chosen).length === 0) return [];
    const byPrecedence = this.all.filter(({ within }) => within === undefined).toSorted((a, b) => Number(a.scope === "view") - Number(b.scope === "view"));
    return [...new Map(byPrecedence.map(({ usual, key }) => [usual, key]))].filter(([usual, key]) => usual !== key);
  }

  register(shortcut: Shortcut, scope: Scope, isActive = () => true): () => void {
    const handle = Symbol(shortcut.id);
    this.#entries.set(handle, { ...shortcut, scope, usual: shortcut.key, chord: parseChord(shortcut.key), isActive });
    if (shortcut.id === this.#awaited) {
      this.#awaited = null;
      // The caller may register more before anything runs.
      queueMicrotask(() => this.run(shortcut));
    }
    return () => this.#entries.delete(handle);
  }

  /** Handles the window's `keydown`. */
  readonly handle = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event)) return;
    // A held Enter may have moved the focus to another element, which the user did not mean to press.
    if (event.repeat && event.key === "Enter" && isPressedByEnter(event.target)) return event.preventDefault();
    // An open dialog owns the keyboard, except for the window's own keys.
    const isDialogOpen = document.querySelector("dialog:modal, dialog[open][data-modal]") !== null;
    const typing = isTyping(event.target);
    if (!typing && typedAhead.keep(event)) return event.preventDefault();
    const answers = this.all.reverse().filter((entry) => {
      if (!matchesChord(entry.chord, event) || (isDialogOpen && !entry.inDialogs)) return false;
      if (entry.within && !(event.target instanceof Node && entry.within()?.contains(event.target))) return false;
      return !typing || (entry.whileTyping ?? writesNothing(entry.chord));
    });
    const shortcut = answers.find(({ scope }) => scope === "view") ?? answers[0];
    if (!shortcut) return;
    event.preventDefault();
    if (!event.repeat || shortcut.repeats) this.run(shortcut, event);
  };

  /** Runs the active shortcut with an id, or the first one that is registered with it later. */
  runNamed(id: string): void {
    const named = this.all.find((entry) => entry.id === id);
    if (named) this.run(named);
    else this.#awaited = id;
  }

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

/** Orders the actions of the top bar first, as the most relevant; then the rest of the view, and undo. */
export function byNearness(shortcuts: readonly Registered[], actions: readonly Action[]): Registered[] {
  const offered = new Map(actions.map(({ id, primary }) => [id, primary ? 0 : 1]));
  const rank = ({ id, scope }: Registered) => {
    if (scope === "view") return offered.get(id) ?? 2;
    return id === "undo" || id === "redo" ? 3 : 4;
  };
  return shortcuts.toSorted((a, b) => rank(a) - rank(b));
}

/** True if a combination does not type characters; on a Mac, Option does. */
function writesNothing({ mod, alt }: Chord): boolean {
  return mod || (alt && !isMac());
}

function isPressedByEnter(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("a, button, input, summary");
}

const NO_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** True if the keys of this element write text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Includes the editor while it is read-only: keys typed there are not meant for the view.
  if (target.isContentEditable || target.closest(".cm-content") !== null) return true;
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
