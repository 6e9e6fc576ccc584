/** Removes steps while the same check still fails. Plays at most `tries` histories. */
export async function shrink(history, difference, differs, tries = 80) {
  let [shortest, left, shown] = [history, tries, difference];
  for (
    let size = Math.ceil(history.steps.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < shortest.steps.length && left > 0; left -= 1) {
      const steps = [...shortest.steps.slice(0, at), ...shortest.steps.slice(at + size)];
      const shorter = { ...shortest, steps };
      const again = await differs(shorter);
      if (again) {
        [shortest, shown] = [shorter, again];
      } else {
        at += size;
      }
    }
  }
  return { history: shortest, found: shown };
}
