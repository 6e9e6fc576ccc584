/** Removes steps while the same check still fails. Plays at most `tries` histories. */
export async function shrink(history, difference, differs, tries = 80) {
  let [shortest, remainingTries, found] = [history, tries, difference];
  for (
    let size = Math.ceil(history.steps.length / 2);
    size >= 1 && remainingTries > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < shortest.steps.length && remainingTries > 0; remainingTries -= 1) {
      const steps = [...shortest.steps.slice(0, at), ...shortest.steps.slice(at + size)];
      const shorter = { ...shortest, steps };
      const again = await differs(shorter);
      if (again) {
        [shortest, found] = [shorter, again];
      } else {
        at += size;
      }
    }
  }
  return { history: shortest, found };
}
