import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { startProgram } from '../../running.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

/** The secrets of one message. They differ between messages, because a value that is known from one is masked in the next. */
interface Secrets {
  token: string;
  password: string;
  card: string;
  otherCard: string;
  email: string;
  name: string;
  mobile: string;
}

function secretsOf(count: number): Secrets {
  const letters = Array.from(String(count), (digit) => String.fromCharCode(97 + Number(digit))).join('');
  return {
    token: `tok_Zk3vQ91mLpX7${letters}`,
    password: `open-sesame-${letters}`,
    card: cardNumber(`45391${String(count).padStart(10, '0')}`),
    otherCard: cardNumber(`52781${String(count).padStart(10, '7')}`),
    email: `zoe.${letters}@quillfeather.example`,
    name: `Zoé${letters} O'Quillfeather`,
    mobile: `26377${String(4_000_000 + count * 7919)}`,
  };
}

/** Appends the check digit by Luhn. */
function cardNumber(digits: string): string {
  const sum = Array.from(digits, Number).reduceRight((total, digit, index) => {
    const weighed = (digits.length - index) % 2 === 1 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const groups = (card: string, separator: string) => card.replace(/\d{4}(?=\d)/g, `$&${separator}`);

const json = ({ token, card, otherCard, email, name, mobile }: Secrets): string =>
  JSON.stringify({
    token,
    card: Number(card),
    nested: [{ payerName: name, payerMobile: mobile, contact: { mail: `write to ${email}` } }],
    description: `${name} paid with ${groups(card, ' ')} and ${groups(otherCard, '-')}`,
    inside: JSON.stringify({ merchantKey: token, payerEmail: email }),
  });

const form = ({ token, card, email, name, mobile }: Secrets): string =>
  String(
    new URLSearchParams({
      token,
      note: groups(card, ' '),
      payerName: name,
      payerMobile: mobile,
      back: `https://shop.test/?email=${email}&cardNumber=${groups(card, '-')}`,
    }),
  );

/** A body of each kind, for calls and for answers. */
const BODIES: Readonly<Record<string, { type: string; write: (secrets: Secrets) => string }>> = {
  JSON: { type: 'application/json', write: json },
  'JSON as text': { type: 'text/plain;charset=UTF-8', write: json },
  'truncated JSON': { type: 'application/json', write: (secrets) => json(secrets).replace(/\}$/, ',"and') },
  form: { type: 'application/x-www-form-urlencoded', write: form },
  'form in parts': {
    type: 'multipart/form-data; boundary=line',
    write: ({ token, card, email, name, mobile }) => {
      const values = {
        merchantApiKey: token,
        note: groups(card, '-'),
        reply: email,
        payerName: name,
        payerMobile: mobile,
      };
      const parts = Object.entries(values).map(
        ([key, value]) => `--line\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
      );
      return `${parts.join('')}--line--\r\n`;
    },
  },
  XML: {
    type: 'application/xml',
    write: ({ token, card, email, name, mobile }) =>
      `<?xml version="1.0"?><p:pay xmlns:p="urn:p"><p:Token>${token}</p:Token><p:note>${groups(card, ' ')}</p:note>` +
      `<mail to="${email}"/><p:PayerName>${name}</p:PayerName><payerMobile><![CDATA[${mobile}]]></payerMobile></p:pay>`,
  },
  text: {
    type: 'text/plain',
    write: ({ token, card, otherCard, email }) =>
      `token=${token}; card ${groups(card, ' ')}, ${groups(otherCard, '-')}; <${email}>`,
  },
};

const headersWith = ({ token, password, card, email, name }: Secrets): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'proxy-authorization': `Basic ${Buffer.from(`shop:${password}`).toString('base64')}`,
  cookie: `session=${token}`,
  'x-customer-email': email,
  'x-payer-name': encodeURIComponent(name),
  'x-note': `paid with ${groups(card, '-')}`,
});

const targetWith = ({ token, password, card, otherCard, email, name, mobile }: Secrets): string => {
  const query = new URLSearchParams({ merchantKey: token, payerName: name, payerMobile: mobile, mail: email });
  return `/cards/${card}/of/${encodeURIComponent(email)}?${query}&note=${groups(otherCard, '%20')}&password=${password}`;
};

function spellings(value: string): string[] {
  const separated = /^\d{16}$/.test(value) ? [' ', '-', '+', '%20'].map((separator) => groups(value, separator)) : [];
  const encoded = [encodeURIComponent(value), new URLSearchParams({ '': value }).toString().slice(1)];
  const escaped = JSON.stringify(value).slice(1, -1);
  return [value, ...separated, ...encoded, escaped, Buffer.from(`shop:${value}`).toString('base64')];
}

test('no secret or personal value is in the recording or in the output, for any place in a call', async () => {
  const all: [string, Secrets][] = [];
  const addSecrets = (place: string) => {
    const secrets = secretsOf(all.length);
    all.push([place, secrets]);
    return secrets;
  };
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push([request.url, JSON.stringify(request.headers), await text(request)].join('\n'));
    const kind = String(request.headers['x-kind']);
    const { type, write } = BODIES[kind] ?? { type: '', write: () => '' };
    const { cookie, authorization, ...headers } = headersWith(addSecrets(`headers of the answer, ${kind}`));
    const body = gzipSync(write(addSecrets(`answer, ${kind}`)));
    const location = `https://shop.test${targetWith(addSecrets(`address in the answer, ${kind}`))}`;
    const otherHeaders = { 'content-type': type, 'content-encoding': 'gzip', location, 'x-kind': kind };
    response.writeHead(200, { ...headers, ...otherHeaders, 'set-cookie': `${cookie}; Path=/` }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = await startProgram(
    'record',
    '--json',
    '--port',
    '0',
    '--upstream',
    upstream,
    '--out',
    temporaryFolder(),
  );
  const { url, notificationUrl, file } = JSON.parse(running.output());
  for (const [kind, { type, write }] of Object.entries(BODIES)) {
    for (const base of [url, notificationUrl]) {
      const place = base === url ? 'call' : 'notification';
      const headers = {
        ...headersWith(addSecrets(`headers of the ${place}, ${kind}`)),
        'content-type': type,
        'x-kind': kind,
      };
      const target = targetWith(addSecrets(`address of the ${place}, ${kind}`));
      const body = write(addSecrets(`${place}, ${kind}`));
      await (await fetch(base + target, { method: 'POST', headers, body })).arrayBuffer();
    }
  }
  expect(await running.end('SIGINT')).toBe(0);
  server.close();
  const recorded = readFileSync(file, 'utf8');
  const kinds = Object.keys(BODIES).length;
  expect(running.output()).toContain(`{"calls":${kinds},"notifications":${kinds},`);
  // The secrets in calls did reach the service, so they were not lost before the recorder.
  const [, sent] = all.find(([place]) => place === 'call, JSON') ?? [];
  expect(received.join('\n')).toContain(sent?.name);
  const leaks = all.flatMap(([place, secrets]) =>
    Object.entries(secrets).flatMap(([name, value]) =>
      spellings(value)
        .filter((spelling) => recorded.includes(spelling) || running.output().includes(spelling))
        .map((spelling) => `${name} of the ${place}: ${spelling}`),
    ),
  );
  expect(leaks).toEqual([]);
});
