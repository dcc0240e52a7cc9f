// Questions to the person, one after another; each is answered by a dialog that `Questions.svelte` draws.
import type { ConfirmOptions } from "../api/host";

interface Question {
  options: ConfirmOptions;
  answer: (yes: boolean) => void;
}

export class Questions {
  #queue = $state.raw<Question[]>([]);

  get current(): ConfirmOptions | null {
    return this.#queue[0]?.options ?? null;
  }

  ask(options: ConfirmOptions): Promise<boolean> {
    return new Promise((answer) => {
      this.#queue = [...this.#queue, { options, answer }];
    });
  }

  answer(yes: boolean): void {
    const [question, ...rest] = this.#queue;
    this.#queue = rest;
    question?.answer(yes);
  }
}
