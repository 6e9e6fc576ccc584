import { type Addresses, segment } from '../../sessions/addresses.ts';

/** Where a merchant fetches a report with its access token. The first version needs no number. */
export function reportAddress(
  addresses: Addresses,
  type: string,
  { id, version }: { id: string; version: number },
): string {
  const path = addresses.to(`/_sandbox/reports/${type}/${segment(id)}`);
  return version === 1 ? path : `${path}?version=${version}`;
}
