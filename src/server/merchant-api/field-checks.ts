import { isMembers, type Members, membersOf } from '../../base/members.ts';
import { errorFinding, type Finding, findingsRefusal, warningOf } from '../../base/refusal.ts';
import { describeReceived } from '../../base/schema/describe.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { type Channel, flowOf } from '../domain/channels/channels.ts';
import { imageMediaType } from './request-body/image.ts';
import type { LenientReading } from './request-body/read-leniently.ts';

/** Rules that a schema cannot express, because they depend on fixtures or on bytes. */
export type FieldCheck = (body: Members, fixtures: Fixtures) => Finding[];

/** The channel of a walletName. The fixtures may have changed since it was checked. */
export function requireChannel({ fixtures }: { fixtures: Fixtures }, name: string, member = 'walletName'): Channel {
  const channel = fixtures.channelByName(name);
  if (!channel) {
    throw findingsRefusal(checkWalletName(member, { [member]: name }, fixtures));
  }
  return channel;
}

/** A finding for a walletName that no channel lists in this spelling. Source: reference, section 2. */
export function checkWalletName(member: string, body: Members, fixtures: Fixtures): Finding[] {
  const name = body[member];
  if (typeof name !== 'string' || fixtures.channelByName(name)) {
    return [];
  }
  const { channels } = fixtures.channels;
  const names = channels.flatMap(({ names: [first] }) => first ?? []);
  const all = channels.flatMap((channel) => channel.names);
  return [
    notOneOf(memberPath('$', member), `one of ${names.join(', ')} (fixtures/channels.json has them all)`, name, all),
  ];
}

/** Lenient mode accepts a walletName in any letter case, and replaces it by its channel's spelling, with a warning. */
export function fixWalletName(reading: LenientReading, member: string | undefined, fixtures: Fixtures): LenientReading {
  const { value, findings } = reading;
  const name = member === undefined ? undefined : membersOf(value)[member];
  const spelling = typeof name === 'string' ? fixtures.walletNameLike(name) : undefined;
  if (!isMembers(value) || member === undefined || spelling === undefined || spelling === name) {
    return reading;
  }
  const path = memberPath('$', member);
  const finding = warningOf('read-leniently', { path, expected: spelling, received: describeReceived(path, name) });
  return { value: { ...value, [member]: spelling }, findings: [...findings, finding] };
}

/** Only channels that prompt a phone need its number; the others do not use it. Source: INTERFACE.md, "Channel notes". */
export const checkPayerMobile: FieldCheck = (body, fixtures) => {
  const { walletName, payerMobile } = body;
  const channel = typeof walletName === 'string' ? fixtures.channelByName(walletName) : undefined;
  if (!channel) {
    return [];
  }
  const { needsMobile } = flowOf(channel);
  if (needsMobile === (payerMobile !== undefined)) {
    return [];
  }
  const expected = needsMobile
    ? `the payer's mobile number, which ${channel.label} needs, e.g. "263770000001"`
    : `nothing: ${channel.label} does not use it`;
  return [findingAt('$.payerMobile', expected, payerMobile)];
};

/** Lenient mode drops a mobile number that the channel does not use, valid or not, with a warning. */
export function dropNeedlessMobile(reading: LenientReading, fixtures: Fixtures): LenientReading {
  const { value, findings } = reading;
  if (!isMembers(value)) {
    return reading;
  }
  const { payerMobile, ...others } = value;
  const needlessFindings = payerMobile === undefined ? [] : checkPayerMobile(value, fixtures);
  return needlessFindings.length === 0
    ? reading
    : {
        value: others,
        findings: [...findings, ...needlessFindings.map((each) => warningOf('needless-member', each))],
      };
}

/** A finding for a notification type without a sample in fixtures/webhook-samples.json. */
export const checkWebHookType: FieldCheck = ({ webHookType }, { webhookSamples }) => {
  const types = Object.keys(webhookSamples.samples);
  return typeof webHookType !== 'string' || types.includes(webHookType)
    ? []
    : [notOneOf('$.webHookType', `one of ${types.join(', ')}`, webHookType, types)];
};

/** A finding for a file that is not an image, except with the action `NONE`, which ignores the file. */
export const checkLinkImage: FieldCheck = ({ paymentLinkImage: part, paymentLinkImageType: action }) => {
  const bytes = part instanceof Object && 'bytes' in part ? part.bytes : undefined;
  if (action === 'NONE' || !Buffer.isBuffer(bytes) || imageMediaType(bytes) !== null) {
    return [];
  }
  const expected = 'an image whose content is PNG, JPEG, GIF or WebP';
  const received = `${bytes.length} bytes in none of these formats`;
  return [errorFinding('$.paymentLinkImage', expected, received)];
};

function notOneOf(path: string, expected: string, value: string, known: readonly string[]): Finding {
  const finding = findingAt(path, expected, value);
  return { ...finding, received: `${finding.received}${didYouMean(value, known)}` };
}

function findingAt(path: string, expected: string, value: unknown): Finding {
  return errorFinding(path, expected, describeReceived(path, value));
}
