import type { NoiseRule } from '../../base/schema/generated/recordings.ts';

/** Delays and intervals between attempts count as equal within the larger of both limits. */
export const TOLERANCE = { share: 0.2, atLeastMs: 1000 };

/** THE TABLE of shipped noise rules: differences that do not concern the behaviour of a service. The first rule that applies counts. */
export const SHIPPED_NOISE_RULES: readonly NoiseRule[] = [
  {
    name: 'connection-headers',
    why: 'They belong to one connection, not to the service.',
    ignores: 'everything',
    headers: ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding', 'vary', 'host'],
  },
  {
    name: 'server-headers',
    why: 'They name programs and machines on the way, such as a proxy or a content delivery network.',
    ignores: 'everything',
    headers: ['server*', 'via', 'age', 'alt-svc', 'x-powered-by', 'x-cache*', 'x-forwarded-*', 'x-amz-*', 'cf-*'],
  },
  {
    name: 'client-headers',
    why: 'The HTTP library of the sender adds them.',
    ignores: 'everything',
    headers: ['user-agent', 'accept', 'accept-*', 'sec-fetch-*'],
  },
  {
    name: 'time-and-identity-headers',
    why: 'Each exchange has its own date, id and digest.',
    ignores: 'everything',
    headers: ['date', 'last-modified', 'expires', 'etag', '*request-id', '*correlation-id', '*trace-id', 'trace*'],
  },
  {
    name: 'sandbox-headers',
    why: 'Only this sandbox uses them, to control and explain calls.',
    ignores: 'everything',
    headers: ['x-sandbox-*'],
  },
  {
    name: 'header-values',
    why: 'Cookies, counters, signatures and ids differ each time. Only the presence of the header counts.',
    ignores: 'value',
    headers: ['set-cookie', 'retry-after', '*rate*limit*', '*timestamp*', '*signature*', '*hash*', '*-id', 'location'],
  },
  {
    name: 'masked',
    why: 'The recording does not contain the value, because it was masked.',
    ignores: 'format',
    formats: ['masked'],
  },
  {
    name: 'personal-data',
    why: 'The recording contains a stand-in for it, and the sandbox has its own merchants and payers.',
    ignores: 'value',
    members: ['email', '*Email', '*EmailAddress', 'firstName', 'lastName', '*FullNames', '*Mobile', '*AccountNumber'],
  },
  {
    name: 'instants',
    why: 'Each exchange has its own time. Only its format counts.',
    ignores: 'value',
    formats: ['instant*', 'local date-time*', 'date'],
  },
  {
    name: 'ids',
    why: 'Each record has its own id. Only its format counts.',
    ignores: 'value',
    formats: ['UUID', 'id with prefix *', 'id without prefix'],
  },
  {
    name: 'numbered-records',
    why: 'Each record has its own number or code.',
    ignores: 'value',
    members: ['id', '*Id', 'paymentCode', '*Number'],
  },
  {
    name: 'tokens',
    why: 'Each token is different. Only its format counts.',
    ignores: 'value',
    formats: ['JWT', 'hexadecimal text *', 'base64 text'],
  },
  {
    name: 'addresses',
    why: 'Each service has its own host, ids in paths, and pictures. Only the form of path and query and the image type count.',
    ignores: 'value',
    formats: ['URL *', 'http URL *', 'base64 * image*', 'e-mail'],
  },
  {
    name: 'values-in-sentences',
    why: 'A sentence contains an id, an address, a time or an amount. Only its other words count.',
    ignores: 'value',
    formats: ['sentence with values'],
  },
];
