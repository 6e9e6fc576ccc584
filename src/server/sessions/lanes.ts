interface Lane {
  active: number;
  waiting: Set<() => void>;
}

/** Limits how many jobs of a lane are sent at once; the others wait in order of arrival. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  /** Takes a slot, which `leave` releases; also resolves when the signal fires. `onWait` is called when a wait begins and ends. */
  async enter(
    { name, width }: { name: string; width: number },
    signal: AbortSignal,
    onWait: (isWaiting: boolean) => void,
  ): Promise<void> {
    const lane = this.#lanes.get(name) ?? { active: 0, waiting: new Set<() => void>() };
    this.#lanes.set(name, lane);
    if (lane.active < width) {
      lane.active += 1;
      return;
    }
    onWait(true);
    await new Promise<void>((resolve) => {
      const proceed = () => {
        onWait(false);
        resolve();
      };
      lane.waiting.add(proceed);
      signal.addEventListener('abort', proceed, { once: true });
    });
  }

  leave(name: string): void {
    const lane = this.#lanes.get(name);
    if (!lane) {
      return;
    }
    const [next] = lane.waiting;
    if (next) {
      lane.waiting.delete(next);
      next();
      return;
    }
    lane.active -= 1;
    if (lane.active === 0) {
      this.#lanes.delete(name);
    }
  }
}
