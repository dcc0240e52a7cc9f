// The version of the program and the folder of its data, as the settings show them.
import type { Backend } from "../../api/backend";

type AboutAnswer = Awaited<ReturnType<Backend["settings"]["about"]>>;

export class About {
  answer = $state.raw<AboutAnswer | null>(null);
  failure = $state.raw<{ reason: unknown } | null>(null);

  constructor(private readonly api: Pick<Backend["settings"], "about">) {}

  async read(): Promise<void> {
    this.failure = null;
    try {
      this.answer = await this.api.about();
    } catch (reason) {
      this.failure = { reason };
    }
  }
}
