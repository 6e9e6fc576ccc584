import { MASK, redactCredentials, redactSentence } from '../../base/masking/redact.ts';

/** A secret of the form that an endpoint's has, in place of one of the user's own. */
const MASKED_SECRET = `whsec_${Buffer.from('masked').toString('base64')}`;
/** Keys of merchants that the fixtures do not have. */
const KEY = /^merchant(?:Api)?Key$/;
/** Records name each other by these, so that masking one would break the reference. */
const NAMED = /(?:^|[a-z])(?:id|ids|reference|references|code|token|key)$/i;

/** A record, or a list of them, without the secrets of the user in it. `isKnown` says of a secret that it is none. */
export function maskedRecord<Value>(value: Value, isKnown: (secret: string) => boolean = () => false): Value {
  return mask(value, '', isKnown) as Value;
}

function mask(value: unknown, name: string, isKnown: (secret: string) => boolean): unknown {
  if (typeof value === 'string') {
    return isKnown(value) ? value : maskedText(value, name);
  }
  if (Array.isArray(value)) {
    return value.map((each) => mask(each, name, isKnown));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, mask(each, member, isKnown)]));
}

function maskedText(value: string, name: string): string {
  if (KEY.test(name)) {
    return MASK;
  }
  if (name === 'secret') {
    return MASKED_SECRET;
  }
  if (NAMED.test(name)) {
    return value;
  }
  return /^https?:\/\//i.test(value) ? redactCredentials(value) : redactSentence(value);
}
