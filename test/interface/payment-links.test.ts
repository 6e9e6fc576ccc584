import request from 'supertest';
import type { Sandbox } from '../sandbox.ts';
import { exampleOf, MERCHANT, PNG } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const PATH = '/api/merchant/sandbox/fastCheckOut';

let strict: Sandbox;
let lenient: Sandbox;
let sessions = 0;

beforeAll(async () => {
  [strict, lenient] = await Promise.all([
    startSandbox({ now: NOW, checkAnswers: true }),
    startSandbox({ now: NOW, checkAnswers: true, validation: 'lenient' }),
  ]);
});
afterAll(() => Promise.all([strict.close(), lenient.close()]));

function newSession(sandbox = strict): string {
  sessions += 1;
  return sandbox.sessionUrl(`links-${sessions}`);
}

async function tokenOf(base: string, merchant: object = MERCHANT): Promise<string> {
  const answer = await request(base).post('/auth/authenticate/merchant').send(merchant);
  return JSON.parse(answer.text).token;
}

interface Form {
  members?: Record<string, string | string[]>;
  image?: Buffer | null;
  merchant?: object;
}

async function save(base: string, { members = {}, image = PNG, merchant = MERCHANT }: Form = {}) {
  const call = request(base)
    .post(PATH)
    .set('Authorization', `Bearer ${await tokenOf(base, merchant)}`);
  const { paymentLinkImage: _, ...body } = exampleOf('requests/payment-link', members);
  for (const [name, value] of Object.entries(body)) {
    for (const each of [value].flat()) {
      call.field(name, String(each));
    }
  }
  if (image) {
    call.attach('paymentLinkImage', image, { filename: 'picture.txt', contentType: 'image/png' });
  }
  const answer = await call;
  return { status: answer.status, body: JSON.parse(answer.text) };
}

describe('a payment link', () => {
  it('is created with a token that ends in its id and an address that carries the token', async () => {
    const base = newSession();
    const { status, body } = await save(base);
    expect(status).toBe(200);
    const { paymentLinkToken: token } = body.paymentLink;
    expect(token).toMatch(/-1$/);
    expect(body.paymentLink).toEqual({
      paymentProfileName: 'Market stall',
      paymentProfileDescription: 'Fruit and vegetables',
      paymentLinkReference: 'LINK-1',
      paymentLinkUrl: `${base}/pay/link/${token}`,
      paymentLinkAmount: 25,
      paymentLinkType: 'OPEN_FIXED_AMOUNT',
      paymentLinkToken: token,
      paymentLinkImageUrl: `${base}/pay/images/image-1`,
      paymentLinkStartDate: '2026-01-01T00:00:00.000+02:00',
      paymentLinkEndDate: '2030-12-31T00:00:00.000+02:00',
      paymentLinkIsActive: true,
      createdAt: '2026-03-01T10:00:00.000Z',
      id: 1,
    });
    expect(body.message).toContain(body.paymentLink.paymentLinkImageUrl);
  });

  it.each([
    ['100', 100],
    ['25.5', 25.5],
    ['25.50', 25.5],
  ])('accepts the amount %s', async (paymentLinkAmount, expected) => {
    const { body } = await save(newSession(), { members: { paymentLinkAmount } });
    expect(body.paymentLink.paymentLinkAmount).toBe(expected);
  });

  it('is updated by its id, keeping token and creation time', async () => {
    const base = newSession();
    const created = (await save(base)).body.paymentLink;
    const members = { id: '1', paymentLinkName: 'New name', paymentLinkImageType: 'NONE' };
    const updated = (await save(base, { members })).body.paymentLink;
    expect(updated).toEqual({ ...created, paymentProfileName: 'New name' });
  });

  it('gets a different image address with a new image', async () => {
    const base = newSession();
    await save(base);
    const { body } = await save(base, { members: { id: '1', paymentLinkImageType: 'UPDATE' } });
    expect(body.paymentLink.paymentLinkImageUrl).toBe(`${base}/pay/images/image-2`);
  });

  it('serves its image with the actual type, until another replaces it', async () => {
    const base = newSession();
    const { paymentLinkImageUrl: address } = (await save(base)).body.paymentLink;
    const image = await fetch(address);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    await save(base, { members: { id: '1', paymentLinkImageType: 'NEW' } });
    expect((await fetch(address)).status).toBe(404);
  });

  it('of another merchant, or with an unknown id, is not found', async () => {
    const base = newSession();
    await save(base);
    const other = { merchantId: 'M-1001', merchantApiKey: 'test-api-key-1001', merchantKey: 'test-merchant-key-1001' };
    expect((await save(base, { members: { id: '1' }, merchant: other })).status).toBe(404);
    expect((await save(base, { members: { id: '7' } })).body).toMatchObject({ status: 'Failed', paymentLink: null });
  });

  it.each([
    ['2026-03-02', '2026-03-03', false],
    ['2026-02-01', '2026-02-28', false],
    ['2026-02-01', '2026-03-01', true],
  ])('from %s to %s is active on 2026-03-01: %s', async (paymentLinkStartDate, paymentLinkEndDate, expected) => {
    const { body } = await save(newSession(), { members: { paymentLinkStartDate, paymentLinkEndDate } });
    expect(body.paymentLink.paymentLinkIsActive).toBe(expected);
  });

  it.each(['ONCE_OFF_FIXED', 'OPEN_FIXED_AMOUNT', 'OPEN_DYNAMIC_AMOUNT'])(
    'can be of type %s',
    async (paymentLinkType) => {
      const { body } = await save(newSession(), { members: { paymentLinkType } });
      expect(body.paymentLink.paymentLinkType).toBe(paymentLinkType);
    },
  );

  it.each([
    ['an end before its start', { paymentLinkEndDate: '2025-12-31' }, 422],
    ['an impossible day', { paymentLinkStartDate: '2026-02-30' }, 400],
    ['an unknown type', { paymentLinkType: 'FREE' }, 400],
    ['an address with another scheme', { paymentLinkCustomerRedirectUrl: 'javascript:alert(1)' }, 400],
    ['a currency id of another currency', { paymentLinkCurrencyId: '2' }, 422],
    ['UPDATE without an id', { paymentLinkImageType: 'UPDATE' }, 422],
    ['an empty part', { paymentPayerAddress: '' }, 400],
    ['a repeated part', { paymentLinkOtherCurrencies: ['true', 'false'] }, 400],
  ])('is refused for %s', async (_title, members, code) => {
    const { status, body } = await save(newSession(), { members: members as Record<string, string> });
    expect([status, body.status, body.paymentLink]).toEqual([code, 'Failed', null]);
  });

  it('is refused for a file that is not an image, even if its declared type is an image', async () => {
    const { status, body } = await save(newSession(), {
      image: Buffer.from('<svg onload=alert(1)>'),
      members: { paymentLinkEndDate: '2025-12-31' },
    });
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^\$\.paymentLinkImage: [^;]+; \$\.paymentLinkEndDate: [^;]+$/),
    ]);
  });

  it('is refused for an image of more than 5 MiB', async () => {
    const image = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    expect((await save(newSession(), { image })).status).toBe(413);
  });

  it('needs a bearer token', async () => {
    const answer = await request(newSession()).post(PATH).field('id', '');
    expect(answer.status).toBe(400);
    const complete = await save(newSession(), { merchant: {} });
    expect(complete.status).toBe(401);
  });
});

describe('lenient validation of a payment link', () => {
  it('accepts empty and repeated parts, an unknown image type and a text as the image', async () => {
    const base = newSession(lenient);
    const members = {
      paymentPayerAddress: '',
      paymentLinkOtherCurrencies: ['true', 'false'],
      paymentLinkImageType: 'SOMETHING',
      paymentLinkImage: 'x',
    };
    const { status, body } = await save(base, { members, image: null });
    expect([status, body.status]).toEqual([200, 'Success']);
    expect(body.paymentLink.paymentLinkImageUrl).toBe('');
  });

  it('accepts a multipart body with a wrong type and parts marked as attachments; strict mode refuses it', async () => {
    const boundary = 'odd-boundary';
    const { paymentLinkImage: _, ...members } = exampleOf('requests/payment-link', { paymentLinkImageType: 'NONE' });
    const parts = Object.entries(members).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: attachment; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const body = `${parts.join('')}--${boundary}--\r\n`;
    for (const [sandbox, expected] of [
      [strict, 415],
      [lenient, 200],
    ] as const) {
      const base = newSession(sandbox);
      const answer = await fetch(`${base}${PATH}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokenOf(base)}`,
          'content-type': `application/x-www-form-urlencoded; boundary=${boundary}`,
        },
        body,
      });
      expect([expected, answer.status, await answer.text()]).toEqual([expected, expected, expect.any(String)]);
    }
  });
});
