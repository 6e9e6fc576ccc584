import type { Screen } from './screens/screens.ts';

/** The console's address, derived from that of its files, so that it works below every path of a session or a proxy. */
const consoleAddress = new URL('../', import.meta.url);

export const apiAddress = new URL('../', consoleAddress).href;

const [, root = '', name] = /^(.*?)(?:\/s\/([^/]+))?\/_sandbox\/$/.exec(new URL(apiAddress).pathname) ?? [];

export const sessionName = name === undefined ? 'default' : decodeURIComponent(name);

export const consolePath = consoleAddress.pathname;

export function pathOf(screen: Screen, id?: string): string {
  return `${consolePath}${screen}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
}

/** The address of a list with a filter, such as state:Paid. */
export function pathOfList(screen: Screen, filter: string): string {
  return `${pathOf(screen)}?q=${encodeURIComponent(filter)}`;
}

export function apiOf(session: string): string {
  return `${root}${session === 'default' ? '' : `/s/${encodeURIComponent(session)}`}/_sandbox/`;
}

export function consoleOf(session: string): string {
  return `${apiOf(session)}console/overview`;
}

export function sameScreenIn(session: string): string {
  return `${apiOf(session)}console/${location.pathname.slice(consolePath.length)}`;
}

/** The base address that an integration points to, as this browser reaches it. */
export const baseAddress = apiAddress.replace(/\/_sandbox\/$/, '');

export function screenOf(path: string): string {
  return path.slice(consolePath.length).split('/')[0] ?? '';
}
