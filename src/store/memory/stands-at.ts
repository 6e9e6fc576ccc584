/** Whether some few bytes stand at a place in others. Buffer.compare would say so, too, and take longer. */
export function standsAt(bytes: Buffer, begin: number, wanted: Buffer): boolean {
  let at = 0;
  while (at < wanted.length && bytes[begin + at] === wanted[at]) {
    at += 1;
  }
  return at === wanted.length;
}
