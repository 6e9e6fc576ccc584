/** Does work whose faults are reported, and kept from whoever has it done along with other work. */
export function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}
