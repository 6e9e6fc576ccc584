/** A clock that moves only when it is advanced, and runs due jobs in order, one after the other. */
export class VirtualClock {
  now: number;
  readonly #due: { at: number; run: () => Promise<void> }[] = [];

  constructor(start: string) {
    this.now = Date.parse(start);
  }

  runAfter(ms: number, run: () => Promise<void>): void {
    this.#due.push({ at: this.now + ms, run });
    this.#due.sort((one, other) => one.at - other.at);
  }

  async advance(ms: number): Promise<void> {
    const until = this.now + ms;
    for (let next = this.#due[0]; next && next.at <= until; next = this.#due[0]) {
      this.#due.shift();
      this.now = next.at;
      await next.run();
    }
    this.now = until;
  }
}
