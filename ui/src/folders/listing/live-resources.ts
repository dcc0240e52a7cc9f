// Listings and watches that are in use.

export interface Disposable {
  dispose: () => void;
}

export class LiveResources {
  #resources = new Set<Disposable>();

  /** Keeps these resources, and disposes all others. */
  retain(...wanted: readonly Disposable[]): void {
    const retained = new Set(wanted);
    for (const one of this.#resources) if (!retained.has(one)) one.dispose();
    this.#resources = retained;
  }
}
