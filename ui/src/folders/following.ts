// What happens in a folder is shown at once, but for what one does oneself: the server tells of that before it answers.
// Until the answer has come, nobody could tell what has another name from what has gone.

export class Following {
  #holds = 0;

  constructor(private readonly follow: () => void) {}

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Something has happened in the folder. */
  readonly tell = (): void => {
    if (this.#holds === 0) this.follow();
  };

  /** Nothing is shown before this has come to its end; all that has happened until then is shown afterwards. */
  readonly hold = async <T>(work: () => Promise<T>): Promise<T> => {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      this.tell();
    }
  };
}
