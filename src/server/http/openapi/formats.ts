/** A label of a host name, without a double hyphen, which marks an encoded label (`xn--`). */
const LABEL = '[A-Za-z0-9]+(-[A-Za-z0-9]+)*';
const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** An IP address, or a host name. The last label of a host name begins with a letter, because it may otherwise be read as a number. */
const HOST = `((${LABEL}\\.)*[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*|${BYTE}(\\.${BYTE}){3}|\\[::1\\])`;
const HTTP_URL = `https?://${HOST}(:([1-9]\\d{0,3}|[1-5]\\d{4}))?([/?#][!-~]*)?`;

const MONTH_AND_DAY =
  '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))';
const LEAP_DAY = '(19(7[26]|8[048]|9[26])|[2-5]\\d(0[48]|[2468][048]|[13579][26]))-02-29';
const HOUR_AND_MINUTE = '([01]\\d|2[0-3]):[0-5]\\d';
const INSTANT = `((19(7[1-9]|[89]\\d)|[2-5]\\d{3})-${MONTH_AND_DAY}|${LEAP_DAY})T${HOUR_AND_MINUTE}:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]${HOUR_AND_MINUTE})?`;

/** Hours, minutes or seconds of a duration; at least one of them. */
const TIME_PART =
  'T(\\d{1,5}H(\\d{1,5}M)?(\\d{1,5}(\\.\\d{1,3})?S)?|\\d{1,5}M(\\d{1,5}(\\.\\d{1,3})?S)?|\\d{1,5}(\\.\\d{1,3})?S)';
const DATE_PART = '(\\d{1,2}Y(\\d{1,2}M)?(\\d{1,4}D)?|\\d{1,2}M(\\d{1,4}D)?|\\d{1,4}D|\\d{1,3}W)';
const DURATION = `P(${DATE_PART}(${TIME_PART})?|${TIME_PART})`;

/**
 * The sandbox's own formats as standard keywords, which other tools understand. Every value that matches is accepted; the sandbox
 * also accepts some others, such as other spellings of a duration.
 */
const PUBLIC_FORMATS: Readonly<Record<string, object>> = {
  duration: { pattern: anchor(DURATION) },
  instant: { pattern: anchor(INSTANT) },
  money: { multipleOf: 0.01 },
  'http-url': { pattern: anchor(HTTP_URL) },
  'webhook-url': { pattern: anchor(`sandbox:catch|${HTTP_URL}`) },
};

/** The schema; a format that only the sandbox knows is replaced by standard keywords. */
export function withPublicFormat(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { format, ...others } = schema;
  const publicFormat = typeof format === 'string' ? PUBLIC_FORMATS[format] : undefined;
  return publicFormat === undefined ? { ...schema } : { ...others, ...publicFormat };
}

function anchor(pattern: string): string {
  return `^(${pattern})$`;
}
