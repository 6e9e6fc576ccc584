import type { SchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { loadSchema } from '../../src/base/schema/load-schema.ts';
import type { Operation } from '../../src/server/merchant-api/operation.ts';
import { OPERATIONS } from '../../src/server/merchant-api/operations.ts';
import { cases } from '../cases.ts';
import type { Sandbox } from '../sandbox.ts';
import { prepare, send, tokenOf } from './calls.ts';
import { startSandbox } from './sandboxes.ts';

let strict: Sandbox;
let lenient: Sandbox;
beforeAll(async () => {
  [strict, lenient] = await Promise.all([startSandbox(), startSandbox({ validation: 'lenient' })]);
});
afterAll(() => Promise.all([strict.close(), lenient.close()]));

let sessions = 0;

/** Sends an operation's example with these members in a new session. */
async function answerOf(sandbox: Sandbox, operation: Operation, members: Record<string, unknown>) {
  sessions += 1;
  const base = sandbox.sessionUrl(`lenient-${sessions}`);
  const token = await tokenOf(base);
  const [path] = operation.paths;
  const prepared = await prepare(base, operation, path?.environment ?? '', token);
  const answer = await send(base, operation, path?.path ?? '', token, { ...prepared, ...members });
  return { status: answer.status, text: answer.text, warnings: answer.headers['x-sandbox-warnings'] };
}

interface Member {
  operation: Operation;
  name: string;
  schema: SchemaObject;
}

/** The request members of all operations for which `matches` returns true. */
function members(matches: (member: Member & { isRequired: boolean }) => boolean): [string, Member][] {
  return OPERATIONS.flatMap((operation) => {
    const { properties = {}, required = [] }: SchemaObject = operation.request ? loadSchema(operation.request) : {};
    return Object.entries<SchemaObject>(properties)
      .map(([name, schema]) => ({ operation, name, schema }))
      .filter((member) => matches({ ...member, isRequired: required.includes(member.name) }))
      .map((member): [string, Member] => [`${member.name} of ${member.operation.name}`, member]);
  });
}

const isForm = ({ operation }: Member) => operation.body === 'multipart';
const isDecimal = ({ schema }: Member) => String(schema['pattern']).includes('\\.\\d{');
const isBoolean = ({ schema }: Member) => String(schema['enum']) === 'true,false';

describe('lenient validation', () => {
  const cents = fc.integer({ min: 100, max: 99_999 });

  it.each(members(isDecimal))('accepts %s with two decimals, one or none', async (_title, { operation, name }) => {
    await fc.assert(
      fc.asyncProperty(cents, fc.constantFrom(0, 1, 2), async (amount, places) => {
        const text = (amount / 100).toFixed(places);
        expect(await answerOf(lenient, operation, { [name]: text })).toMatchObject({ status: 200 });
      }),
      { numRuns: cases(12) },
    );
  });

  it.each(members((member) => isDecimal(member) && !isForm(member)))(
    'accepts %s as a number, with a warning; strict mode refuses it',
    async (_title, { operation, name }) => {
      await fc.assert(
        fc.asyncProperty(cents, async (amount) => {
          const request = { [name]: amount / 100 };
          expect(await answerOf(lenient, operation, request)).toMatchObject({
            status: 200,
            warnings: expect.stringContaining(`$.${name}: expected a string with two decimals`),
          });
          expect(await answerOf(strict, operation, request)).toMatchObject({ status: 400 });
        }),
        { numRuns: cases(5) },
      );
    },
  );

  it.each(members((member) => isDecimal(member) && isForm(member)))(
    'accepts %s with two decimals, one or none, without a warning, as strict mode does',
    async (_title, { operation, name }) => {
      for (const text of ['100', '25.5', '25.50']) {
        const accepted = { status: 200, warnings: undefined };
        expect(await answerOf(strict, operation, { [name]: text })).toMatchObject(accepted);
        expect(await answerOf(lenient, operation, { [name]: text })).toMatchObject(accepted);
      }
    },
  );

  it.each(members(isBoolean))('accepts %s in other spellings, with a warning', async (_title, { operation, name }) => {
    for (const text of ['True', 'FALSE', '1', '0', 'on', 'Off', 'yes', 'NO', '']) {
      const request = { [name]: text };
      expect(await answerOf(lenient, operation, request)).toMatchObject({
        status: 200,
        warnings: expect.stringContaining(`$.${name}: expected the text true or false`),
      });
      expect(await answerOf(strict, operation, request)).toMatchObject({ status: 400 });
    }
  });

  it.each(members(isBoolean))(
    'accepts %s with any text, once or repeated; strict mode refuses it',
    async (_title, { operation, name }) => {
      const text = fc.stringMatching(/^[ -~]{0,80}$/).filter((each) => !['true', 'false'].includes(each));
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
          const request = { [name]: texts };
          const { status, warnings } = await answerOf(lenient, operation, request);
          expect([status, warnings]).toEqual([
            200,
            expect.stringContaining(`$.${name}: expected the text true or false`),
          ]);
          expect((warnings ?? '').includes('received several')).toBe(texts.length > 1);
          expect(await answerOf(strict, operation, request)).toMatchObject({ status: 400 });
        }),
        { numRuns: cases(12) },
      );
    },
  );

  it.each(members((member) => isForm(member) && member.schema['type'] === 'string'))(
    'accepts %s as a list, using its last entry, with a warning; strict mode refuses it',
    async (_title, { operation, name, schema }) => {
      const [value] = schema['examples'];
      for (const spelling of [name, `${name}[]`]) {
        const request = { [name]: [], [spelling]: ['another', value] };
        expect(await answerOf(lenient, operation, request)).toMatchObject({
          status: 200,
          warnings: expect.stringContaining(`$.${name}: expected one part of this name, received several`),
        });
        expect(await answerOf(strict, operation, request)).toMatchObject({ status: 400 });
      }
    },
  );

  it.each(members(({ isRequired, operation }) => !isRequired && operation.body === 'json'))(
    'accepts %s as null',
    async (_title, { operation, name }) => {
      expect(await answerOf(lenient, operation, { [name]: null })).toMatchObject({
        status: 200,
        warnings: expect.stringContaining(`$.${name}: expected`),
      });
    },
  );

  const withAlternative = OPERATIONS.filter(({ alternative }) => alternative);

  it.each(withAlternative.map((each) => [`${each.alternative?.member} of ${each.name}`, each] as const))(
    'accepts %s as null; strict mode refuses it',
    async (_title, operation) => {
      const member = operation.alternative?.member ?? '';
      expect(await answerOf(lenient, operation, { [member]: null })).toMatchObject({
        status: 200,
        warnings: `SBX-W03 $.${member}: expected a value, or no such field, received null`,
      });
      const refused = await answerOf(strict, operation, { [member]: null });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`$.${member}: expected an array`)]);
    },
  );
});

describe('an unknown field', () => {
  it.each(
    OPERATIONS.filter(({ request }) => request !== null).map((operation) => [operation.name, operation] as const),
  )('does not stop %s, and is reported in a header and in the request log', async (_name, operation) => {
    const { status, warnings } = await answerOf(strict, operation, { colour: 'green' });
    expect([status, warnings]).toEqual([200, 'SBX-W01 $.colour: expected no such field, received an unknown field']);
    const session = strict.session(`lenient-${sessions}`);
    const { items } = await session.list('requests');
    expect(items[0]?.['findings']).toEqual([expect.objectContaining({ path: '$.colour', severity: 'warning' })]);
  });
});

describe('a wallet name in different case', () => {
  const withChannel = OPERATIONS.flatMap((operation): [string, Operation, string][] =>
    operation.channelMember === undefined ? [] : [[operation.name, operation, operation.channelMember]],
  );

  it.each(withChannel)(
    'of %s is refused in strict mode, and the refusal names the listed spelling',
    async (_name, operation, member) => {
      const { status, text } = await answerOf(strict, operation, { [member]: 'wallet_Qr' });
      expect([status, JSON.parse(text)]).toEqual([400, expect.anything()]);
      expect(text).toContain(`$.${member}: expected one of WALLET_QR, `);
      expect(text).toContain('did you mean WALLET_QR?');
    },
  );

  it.each(withChannel)('of %s is accepted in lenient mode as the listed spelling', async (_name, operation, member) => {
    const { status, text, warnings } = await answerOf(lenient, operation, { [member]: 'wallet_Qr' });
    expect([status, warnings]).toEqual([200, expect.stringContaining(`SBX-W04 $.${member}: expected WALLET_QR`)]);
    expect(text).not.toContain('wallet_Qr');
  });

  it.each(withChannel)('of %s is refused if it only resembles a listed one', async (_name, operation, member) => {
    for (const sandbox of [strict, lenient]) {
      const { status, text } = await answerOf(sandbox, operation, { [member]: 'wallet_Q' });
      expect([status, text]).toEqual([400, expect.stringContaining('did you mean WALLET_QR?')]);
    }
  });

  it('is accepted if the user adds it', async () => {
    const sandbox = await startSandbox({ walletNames: { 'qr-wallet': ['wallet_Qr'] } });
    for (const [, operation, member] of withChannel) {
      const { status, warnings } = await answerOf(sandbox, operation, { [member]: 'wallet_Qr' });
      expect([operation.name, status, warnings]).toEqual([operation.name, 200, undefined]);
    }
    await sandbox.close();
  });
});
