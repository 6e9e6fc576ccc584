import { headerPairs } from '../../base/header-pairs.ts';
import type { RecordedHeader } from '../../base/schema/recordings.ts';

export function recordedHeaders(raw: readonly string[]): RecordedHeader[] {
  return headerPairs(raw).map(([name, value]) => ({ name, value }));
}

/** The same headers with another host, in its place. HTTP/1.1 wants one where HTTP/1.0 has none. */
export function withHost(raw: readonly string[], host: string): string[] {
  const pairs = headerPairs(raw);
  const isHost = (name: string) => name.toLowerCase() === 'host';
  const changed = pairs.map(([name, value]) => [name, isHost(name) ? host : value]);
  return [...changed, ...(pairs.some(([name]) => isHost(name)) ? [] : [['Host', host]])].flat();
}

/** The values of each name, as it was spelled first. */
export function grouped(raw: readonly string[]): { name: string; values: string[] }[] {
  const groups = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of headerPairs(raw)) {
    const group = groups.get(name.toLowerCase());
    if (group) {
      group.values.push(value);
    } else {
      groups.set(name.toLowerCase(), { name, values: [value] });
    }
  }
  return [...groups.values()];
}

export function withoutHeaders(raw: readonly string[], left: RegExp): string[] {
  return headerPairs(raw)
    .filter(([name]) => !left.test(name))
    .flat();
}

/** The first lines of a message, as they are sent. */
export function headText(firstLine: string, raw: readonly string[]): string {
  const lines = headerPairs(raw).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${firstLine}\r\n${lines.join('')}\r\n`;
}
