// A queue of questions to the user; each is answered by a dialog that `ConfirmDialog.svelte` draws.
import type { ConfirmOptions } from "../../api/host";

interface Confirmation {
  options: ConfirmOptions;
  answer: (yes: boolean) => void;
}

export class Confirmations {
  #queue = $state.raw<Confirmation[]>([]);

  get current(): ConfirmOptions | null {
    return this.#queue[0]?.options ?? null;
  }

  /** Resolves to false if the question is `withdrawn` before it is answered. */
  ask(options: ConfirmOptions, withdrawn?: AbortSignal): Promise<boolean> {
    return new Promise((answer) => {
      const question = { options, answer };
      this.#queue = [...this.#queue, question];
      withdrawn?.addEventListener("abort", () => {
        this.#queue = this.#queue.filter((one) => one !== question);
        answer(false);
      });
    });
  }

  answer(yes: boolean): void {
    const [question, ...rest] = this.#queue;
    this.#queue = rest;
    question?.answer(yes);
  }
}
