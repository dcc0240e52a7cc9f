// Ends a drawing that keeps the thread busy. A loop can't be interrupted from outside, but those of Mermaid and of its
// layouts call methods of the language and of the document again and again: while something is drawn, these measure the
// time, and throw when it is over. Only the document in which diagrams are drawn is changed.

/** The number of calls between two looks at the clock. */
const CALLS_A_LOOK = 1_024;
/** The interval at which the thread shows that it is free, in milliseconds. */
const FREE_INTERVAL = 100;

const METHODS: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [Array.prototype, ["push"]],
  [Map.prototype, ["get", "set"]],
  [Set.prototype, ["add"]],
  [Object, ["keys"]],
  [String.prototype, ["slice", "charAt"]],
  [Date.prototype, ["getTime", "setDate"]],
  [Math, ["floor", "max", "min"]],
  [Element.prototype, ["setAttribute"]],
  [Node.prototype, ["appendChild", "insertBefore"]],
];

export class WorkLimit {
  /** True if the work was ended. */
  isSpent = false;
  #calls = 0;
  #freeAt: number;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #restore: (() => void)[];

  /** Limits the time for which the work may keep the thread busy, in milliseconds, until `end`. */
  constructor(
    private readonly maxTime: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#freeAt = now();
    this.#timer = setInterval(() => (this.#freeAt = now()), FREE_INTERVAL);
    this.#restore = METHODS.flatMap(([owner, names]) => names.map((name) => this.#watch(owner, name)));
  }

  end(): void {
    clearInterval(this.#timer);
    for (const restore of this.#restore) restore();
  }

  #watch(owner: object, name: string): () => void {
    const method = Reflect.get(owner, name) as (...parts: unknown[]) => unknown;
    const spend = () => this.#spend();
    Reflect.set(owner, name, function (this: unknown, ...parts: unknown[]) {
      spend();
      return Reflect.apply(method, this, parts);
    });
    return () => void Reflect.set(owner, name, method);
  }

  #spend(): void {
    this.#calls += 1;
    if (!this.isSpent && this.#calls % CALLS_A_LOOK === 0) this.isSpent = this.now() - this.#freeAt > this.maxTime;
    if (this.isSpent) throw new Error("the drawing takes too long");
  }
}
