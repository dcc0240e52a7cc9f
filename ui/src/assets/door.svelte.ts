// Requests for the files panel by a key, including while the panel is closed.

/** The requested action: to focus the files, to add one, or to go to the file with an id. */
export type FilesWish = "look" | "add" | { file: string };

export class AssetsDoor {
  #wish = $state.raw<FilesWish | null>(null);

  knock(wish: FilesWish): void {
    this.#wish = wish;
  }

  /** Returns each request once. Reactive. */
  answer(): FilesWish | null {
    const wish = this.#wish;
    if (wish !== null) this.#wish = null;
    return wish;
  }
}
