// Values that are taken in the order in which they came. `Array.prototype.shift` moves all that follows each time.

export class Queue<T> {
  readonly #values: T[] = [];
  #taken = 0;

  add(value: T): void {
    this.#values.push(value);
  }

  take(): T | undefined {
    return this.#values[this.#taken++];
  }

  /** What was not taken. */
  rest(): T[] {
    return this.#values.slice(this.#taken);
  }
}

/** Adds to the queue of a key, which begins with its first value. */
export function addTo<K, T>(queues: Map<K, Queue<T>>, key: K, value: T): void {
  let queue = queues.get(key);
  if (queue === undefined) queues.set(key, (queue = new Queue()));
  queue.add(value);
}
