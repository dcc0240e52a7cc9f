// The way to the files by a key, also where their panel is not open yet.

export class AssetsDoor {
  #knocks = $state(0);
  #answered = 0;

  knock(): void {
    this.#knocks += 1;
  }

  /** Whether somebody wants in; once for each time. Reactive. */
  answer(): boolean {
    const wanted = this.#knocks > this.#answered;
    this.#answered = this.#knocks;
    return wanted;
  }
}
