import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { isAnyAddress } from '../http/server.ts';
import { VERSION } from '../package.ts';
import type { Sandbox } from '../sandbox.ts';

/** Where other machines reach a sandbox that listens on every address. */
function machineAddresses(url: string, host: string): string[] {
  const { port } = new URL(url);
  const found = isAnyAddress(host) ? Object.values(networkInterfaces()).flatMap((each) => each ?? []) : [];
  return found
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'))
    .filter(({ address }) => !address.startsWith('fe80:'))
    .map(({ family, address }) => `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
}

/** What is printed when the sandbox is ready: addresses, credentials, where the data is, and a line to paste. */
export function bannerOf({ url, settings, fixtures, controlToken }: Sandbox): string {
  const [merchant] = fixtures.merchants.merchants;
  const walletName = fixtures.channels.channels[0]?.names[0] ?? '';
  const data = settings.data === ':memory:' ? 'in memory, gone when it stops' : resolve(settings.data);
  const base = settings.publicUrl ?? url;
  const others = [...(settings.publicUrl === undefined ? [] : [url]), ...machineAddresses(url, settings.host)];
  const login = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`;
  const rows = [
    ['merchant API', base],
    ...others.map((address, index) => [index === 0 ? 'also at' : '', address]),
    ['own session', `${base}/s/<name>`],
    ['API reference', `${base}/_sandbox/docs${login}`],
    ...(controlToken === undefined ? [] : [['control token', controlToken]]),
    ['data', data],
    ['validation', `${settings.validation}; scenario ${settings.scenario}; seed ${settings.seed}`],
  ];
  const credentials = merchant
    ? { merchantId: merchant.id, merchantApiKey: merchant.merchantApiKey, merchantKey: merchant.merchantKey }
    : { merchantId: 'any', merchantApiKey: 'any', merchantKey: 'any' };
  const payment = {
    ...credentials,
    walletName,
    amount: '10.00',
    paymentCurrency: 'USD',
    paymentDescription: 'Order 1001',
    payerName: 'Ann Payer',
    payerReference: 'ORDER-1001',
    payerAccountId: 7,
    profileId: 1,
  };
  return [
    `merchant-sandbox ${VERSION} is ready. No money moves here.`,
    '',
    ...rows.map(([name = '', value]) => `  ${name.padEnd(13)} ${value}`),
    '',
    `  merchantId ${credentials.merchantId}   merchantApiKey ${credentials.merchantApiKey}   merchantKey ${credentials.merchantKey}`,
    '',
    `  curl ${base}/sandbox/init/authenticate/merchant/wallet -H 'Content-Type: application/json' -d '${JSON.stringify(payment)}'`,
    '',
  ].join('\n');
}
