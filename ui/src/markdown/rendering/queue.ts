// A first-in, first-out queue. `Array.prototype.shift` moves all later values on each call.

export class Queue<T> {
  readonly #values: T[] = [];
  #taken = 0;

  add(value: T): void {
    this.#values.push(value);
  }

  take(): T | undefined {
    return this.#values[this.#taken++];
  }

  /** Returns the values that were not taken. */
  rest(): T[] {
    return this.#values.slice(this.#taken);
  }
}

/** Adds a value to the queue of a key, which is created for its first value. */
export function addTo<K, T>(queues: Map<K, Queue<T>>, key: K, value: T): void {
  let queue = queues.get(key);
  if (queue === undefined) queues.set(key, (queue = new Queue()));
  queue.add(value);
}
