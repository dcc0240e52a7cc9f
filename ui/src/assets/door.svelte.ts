// The way to the files by a key, also where their panel is not open yet.

/** What one wants there: to go among them, to add one, or to go to the one with an id. */
export type FilesWish = "look" | "add" | { file: string };

export class AssetsDoor {
  #wish = $state.raw<FilesWish | null>(null);

  knock(wish: FilesWish): void {
    this.#wish = wish;
  }

  /** What somebody wants; once for each time. Reactive. */
  answer(): FilesWish | null {
    const wish = this.#wish;
    if (wish !== null) this.#wish = null;
    return wish;
  }
}
