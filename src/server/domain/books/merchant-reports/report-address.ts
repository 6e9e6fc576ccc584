import { type Addresses, encodeSegment } from '../../../sessions/session-addresses.ts';

/** The address at which a merchant fetches a report with its access token. The version is omitted if there is only one. */
export function reportAddress(
  addresses: Addresses,
  type: string,
  { id, version, latestVersion = version }: { id: string; version: number; latestVersion?: number | undefined },
): string {
  const path = addresses.to(`/_sandbox/reports/${type}/${encodeSegment(id)}`);
  return latestVersion === 1 ? path : `${path}?version=${version}`;
}
