/** The way to a member of the state file: names, and places in lists. */
type Step = string | number;

/** The steps of a JSON path: `$.sessions[0].state` → sessions, 0, state. */
export function stepsOf(path: string): Step[] {
  return [...path.matchAll(/\.([\w$]+)|\[(\d+)\]|\["([^"]*)"\]/g)].map(([, name, place, quoted]) =>
    place === undefined ? (name ?? quoted ?? '') : Number(place),
  );
}

/** The line on which a member stands, as far as it can be followed in a file that was not laid out anew. */
export function lineOfPath(steps: readonly Step[], lines: readonly string[]): number {
  let line = 0;
  for (const [depth, step] of steps.entries()) {
    const found = lineOfStep(step, '  '.repeat(depth), lines, line);
    if (found === undefined) {
      break;
    }
    line = found;
  }
  return line + 1;
}

/** Undefined where the parent, which is indented so far, ends before. */
function lineOfStep(step: Step, parentIndent: string, lines: readonly string[], from: number): number | undefined {
  let place = 0;
  for (let at = from; at < lines.length; at += 1) {
    const text = lines[at] ?? '';
    if (text.startsWith(`${parentIndent}}`) || text.startsWith(`${parentIndent}]`)) {
      return undefined;
    }
    if (typeof step === 'string' ? text.includes(`${JSON.stringify(step)}:`) : text.startsWith(`${parentIndent}  {`)) {
      if (typeof step === 'string' || place === step) {
        return at;
      }
      place += 1;
    }
  }
  return undefined;
}
