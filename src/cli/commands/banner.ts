import { addressOf, machineAddresses } from '../../base/addresses.ts';
import { examplePayment } from '../../base/example-payment.ts';
import { VERSION } from '../../base/package.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { Sandbox } from '../../sandbox.ts';

/** The number of the log level "info". */
const INFO = 30;

/** The log line by which programs notice that the sandbox is ready. It is printed at any log level, but not with `quiet`. */
export function readyLineOf({ url, httpsUrl, caFile, settings, shownData, controlToken }: Sandbox): string {
  const { publicUrl, validation, scenario, seed } = settings;
  return JSON.stringify({
    level: INFO,
    time: machineNow(),
    version: VERSION,
    url,
    httpsUrl,
    caFile,
    publicUrl,
    controlToken,
    data: shownData,
    validation,
    scenario,
    seed,
    pid: process.pid,
    msg: 'ready',
  });
}

/** The text for people when the sandbox is ready: addresses, credentials, the location of the data, and a line to paste. */
export function bannerOf({ url, httpsUrl, caFile, settings, shownData, fixtures, controlToken }: Sandbox): string {
  const [merchant] = fixtures.merchants.merchants;
  const walletName = fixtures.channels.channels[0]?.names[0] ?? '';
  const data = settings.data === ':memory:' ? 'in memory, lost when it stops' : shownData;
  const base = settings.publicUrl ?? url;
  const { port } = new URL(url);
  const machineUrls = machineAddresses(settings.host).map(({ address }) => addressOf('http', address, port));
  const otherUrls = [...(settings.publicUrl === undefined ? [] : [url]), ...machineUrls];
  const login = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`;
  const clock = settings.now === undefined ? '' : `; clock frozen at ${formatUtc(settings.now)}`;
  const rows = [
    ['merchant API', base],
    ...otherUrls.map((address, index) => [index === 0 ? 'also at' : '', address]),
    ...(httpsUrl === undefined ? [] : [['over HTTPS', httpsUrl]]),
    ['own session', `${base}/s/<name>`],
    ['console', `${base}/_sandbox/${login}`],
    ...(settings.examine === undefined ? [] : [['examination', `${base}/_sandbox/console/examination${login}`]]),
    ['guide', `${base}/_sandbox/guide/${login}`],
    ['API reference', `${base}/_sandbox/docs${login}`],
    ...(controlToken === undefined ? [] : [['control token', controlToken]]),
    ['data', data],
    ['validation', `${settings.validation}; scenario ${settings.scenario}; seed ${settings.seed}${clock}`],
  ];
  const credentials = merchant
    ? { merchantId: merchant.id, merchantApiKey: merchant.merchantApiKey, merchantKey: merchant.merchantKey }
    : { merchantId: 'any', merchantApiKey: 'any', merchantKey: 'any' };
  const payment = examplePayment(credentials, walletName);
  return [
    `merchant-sandbox ${VERSION} is ready. No money moves here.`,
    '',
    ...rows.map(([name = '', value]) => `  ${name.padEnd(13)} ${value}`),
    '',
    ...(caFile === undefined ? [] : linesOfTrust(caFile)),
    `  merchantId ${credentials.merchantId}   merchantApiKey ${credentials.merchantApiKey}   merchantKey ${credentials.merchantKey}`,
    '',
    '  The first payment: merchant-sandbox pay, or the call that it makes:',
    '',
    `  curl ${base}/sandbox/init/authenticate/merchant/wallet -H 'Content-Type: application/json' -d '${JSON.stringify(payment)}'`,
    '',
  ].join('\n');
}

function linesOfTrust(caFile: string): string[] {
  const file = /^[\w./\\:@+-]+$/.test(caFile) ? caFile : `'${caFile}'`;
  const rows = [
    ['Node', `NODE_EXTRA_CA_CERTS=${file}`],
    ['curl', `--cacert ${file}`],
    ['PHP', `-d curl.cainfo=${file} -d openssl.cafile=${file}`],
    ['Python', `REQUESTS_CA_BUNDLE=${file} SSL_CERT_FILE=${file}`],
  ];
  const lines = rows.map(([client = '', value]) => `    ${client.padEnd(11)} ${value}`);
  return ['  To trust its certificate:', ...lines, ''];
}
