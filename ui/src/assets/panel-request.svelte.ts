// Requests for the files panel by a key, including while the panel is closed.

/** The requested action: to focus the files, to add one, or to go to the file with an id. */
export type PanelRequest = "look" | "add" | { file: string };

export class PanelRequests {
  #wish = $state.raw<PanelRequest | null>(null);

  request(wish: PanelRequest): void {
    this.#wish = wish;
  }

  /** Returns each request once. Reactive. */
  answer(): PanelRequest | null {
    const wish = this.#wish;
    if (wish !== null) this.#wish = null;
    return wish;
  }
}
