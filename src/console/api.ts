import type { Finding } from '../base/schema/generated/control.ts';
import { apiAddress } from './address.ts';

export interface ListPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The control API refused a call, or did not answer it (status 0). */
export class ControlApiError extends Error {
  readonly status: number;
  readonly findings: readonly Finding[];

  constructor(status: number, message: string, findings: readonly Finding[] = []) {
    super(message);
    this.status = status;
    this.findings = findings;
  }
}

type QueryParameters = Readonly<Record<string, string | number | undefined>>;

/** Calls the control API, of this session if `path` is relative. Rejects with ControlApiError, or with the signal's reason. */
export async function ask<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { query = {}, body, signal }: { query?: QueryParameters; body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer> {
  const address = new URL(path, apiAddress);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') {
      address.searchParams.set(name, String(value));
    }
  }
  const answer = await fetch(address, {
    method,
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new ControlApiError(0, 'The sandbox does not answer. Is it still running?');
  });
  if (!answer.ok) {
    throw await errorOf(answer);
  }
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

export async function askForAll<Item>(path: string, query: QueryParameters): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page: ListPage<Item> = await ask('GET', path, { query: { ...query, limit: 1000, cursor } });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

async function errorOf(answer: Response): Promise<ControlApiError> {
  const { detail = answer.statusText, findings = [] } = await answer.json().catch(() => ({}));
  return new ControlApiError(answer.status, `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`, findings);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
