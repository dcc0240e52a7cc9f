// Shows changes of a folder at once, except the user's own: the server notifies of those before it answers. Until the
// answer arrives, a rename can't be told from a removal.

export class ChangeGate {
  #holds = 0;

  constructor(private readonly follow: () => void) {}

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Reports a change of the folder. */
  readonly notify = (): void => {
    if (this.#holds === 0) this.follow();
  };

  /** Delays all updates until the work has ended. Changes until then are shown afterwards. */
  readonly hold = async <T>(work: () => Promise<T>): Promise<T> => {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      this.notify();
    }
  };
}
