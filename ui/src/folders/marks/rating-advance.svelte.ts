// The choice to go on to the next picture after each rating by key.
import { sessionMemory } from "../session/session-memory";

export class RatingAdvance {
  #isOn = $state(sessionMemory.isRatingAdvancing);

  get isOn(): boolean {
    return this.#isOn;
  }

  readonly toggle = (): void => {
    sessionMemory.isRatingAdvancing = this.#isOn = !this.#isOn;
  };
}
