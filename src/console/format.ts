/** The time of a moment, after its day where that is not the day of `now`. */
export function momentAt(instant: string, now: number): string[] {
  const [day = '', time = ''] = instant.split('T');
  const shown = time.slice(0, 8);
  return day === new Date(now).toISOString().slice(0, 10) ? [shown] : [day, shown];
}

export function dayAndTime(now: number): { day: string; time: string } {
  const text = new Date(now).toISOString();
  return { day: text.slice(0, 10), time: text.slice(11, 19) };
}

/** What a field for date and time says, which leaves out seconds that are zero, as a moment in UTC. */
export function utcOf(local: string): string {
  return `${local.length === 16 ? `${local}:00` : local}Z`;
}

const STEPS: readonly [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** How long, in its two largest parts: 14 min 59 s. */
export function lengthOf(milliseconds: number): string {
  let seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts: string[] = [];
  for (const [length, unit] of STEPS) {
    const count = Math.floor(seconds / length);
    if (count > 0 && parts.length < 2) {
      parts.push(`${count} ${unit}`);
    }
    seconds %= length;
  }
  return parts.join(' ') || '0 s';
}

/** `settle-payment` and `initiatePayment` as words. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase();
  return capital(words);
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A text from outside within a sentence that is text alone: whatever direction it takes ends with it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
