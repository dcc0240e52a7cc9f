// Keys that are typed between the command to write and the ready editor: they run no commands, and the editor inserts
// their text.

export class TypedAhead {
  /** null while keys go their usual ways. */
  #text: string | null = null;

  /** Keeps keys from now on. */
  begin(): void {
    this.#text ??= "";
  }

  /** Drops the kept text: there is no editor. */
  end(): void {
    this.#text = null;
  }

  /** Returns the kept text for the editor, once. */
  take(): string {
    const text = this.#text ?? "";
    this.end();
    return text;
  }

  /** Keeps a pressed key if it writes text; true if it did. */
  keep(event: KeyboardEvent): boolean {
    if (this.#text === null) return false;
    const { key } = event;
    const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
    if (isCommand) return false;
    // The key that began the wait may still be held.
    const isHeld = event.repeat && this.#text === "";
    if ([...key].length === 1) this.#text += isHeld ? "" : key;
    else if (key === "Enter") this.#text += isHeld ? "" : "\n";
    else if (key === "Backspace") this.#text = [...this.#text].slice(0, -1).join("");
    else return false;
    return true;
  }
}

export const typedAhead = new TypedAhead();
