import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { COLLECTIONS } from '../../../../src/server/store/collections.ts';
import { openStore } from '../../../../src/server/store/file/embedded-store.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { DataFolder } from '../data-folder.ts';
import { payment, put, state } from '../samples.ts';

const SCHEMAS = fileURLToPath(new URL('../../../../schemas/', import.meta.url));
const newFolder = temporaryFolders();

/** A folder with the state file of a stopped sandbox: two sessions, three payments, one endpoint. */
async function stoppedFolder(): Promise<DataFolder> {
  const folder = new DataFolder(newFolder());
  const store = await folder.open();
  const endpoint = {
    id: 'endpoint-1',
    url: 'http://127.0.0.1/',
    secret: 'whsec_c2VjcmV0',
    merchantId: null,
    types: null,
  };
  const payments = ['payment-1', 'payment-2', 'payment-3'].map((id) => put('payments', payment(id)));
  await store.commit({ session: 'default', state: state(), changes: [...payments, put('endpoints', endpoint)] });
  await store.commit({ session: 'empty', state: state(), changes: [] });
  await store.close();
  return folder;
}

function changedWarning({ file }: DataFolder): string {
  return `${file} was changed outside the sandbox (its digest does not match): each session in it is checked like an import`;
}

async function paymentsIn(folder: DataFolder): Promise<string[]> {
  const store = await folder.open();
  const { items } = await store.list('default', 'payments', { limit: 99 });
  await store.close();
  return items.map(({ id }) => id);
}

describe('the state file', () => {
  it('can be read by people, with one record per line', async () => {
    const folder = await stoppedFolder();
    const shortened = folder
      .linesOf(folder.file)
      .map((line) =>
        line.replace(/("\$schema": ").*"/, '$1…"').replace(/^(\s*("state": )?\{"[^"]*":"[^"]*").*?\}(,?)$/, '$1…}$3'),
      );
    expect(shortened).toEqual([
      '{',
      '  "$schema": "…",',
      '  "format": 6,',
      '  "lastCommit": 2,',
      '  "sessions": [',
      '    {',
      '      "name": "default",',
      '      "state": {"seed":"a seed"…},',
      '      "payments": [',
      '        {"id":"payment-1"…},',
      '        {"id":"payment-2"…},',
      '        {"id":"payment-3"…}',
      '      ],',
      '      "endpoints": [',
      '        {"id":"endpoint-1"…}',
      '      ]',
      '    },',
      '    {',
      '      "name": "empty",',
      '      "state": {"seed":"a seed"…}',
      '    }',
      '  ],',
      expect.stringMatching(/^ {2}"digest": "[0-9a-f]{8}",$/),
      '  "journal": "none"',
      '}',
      '',
    ]);
  });

  it('names its schema by a path that an editor can follow, and matches the schema', async () => {
    const folder = await stoppedFolder();
    const state = JSON.parse(readFileSync(folder.file, 'utf8'));
    const schema = resolve(dirname(folder.file), state.$schema);
    expect(existsSync(schema)).toBe(true);
    const ajv = new Ajv2020({ allowUnionTypes: true, validateFormats: false });
    for (const name of readdirSync(SCHEMAS, { recursive: true }).map(String)) {
      if (/^(records|fixtures)\/.*\.json$/.test(name)) {
        ajv.addSchema(JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8')));
      }
    }
    const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
    validate(state);
    expect(validate.errors).toBeNull();
  });

  it('has a schema with the same collections as the table and the journal', () => {
    const state = JSON.parse(readFileSync(join(SCHEMAS, 'state.json'), 'utf8'));
    const line = JSON.parse(readFileSync(join(SCHEMAS, 'journal-line.json'), 'utf8'));
    const collections = Object.keys(COLLECTIONS);
    expect(Object.keys(state.$defs.session.properties)).toEqual(['name', 'state', ...collections]);
    expect(line.properties.changes.items.properties.collection.enum).toEqual(collections);
  });

  const layouts: [string, (state: unknown) => string][] = [
    ['indented by an editor', (state) => JSON.stringify(state, null, 2)],
    ['indented by four', (state) => `${JSON.stringify(state, null, 4)}\n`],
    ['on one line', (state) => JSON.stringify(state)],
    ['with a byte order mark', (state) => `\uFEFF${JSON.stringify(state, null, 2)}`],
    ['with CRLF line ends', (state) => JSON.stringify(state, null, 2).replaceAll('\n', '\r\n')],
  ];

  it.each(layouts)('can be read after it has been reformatted: %s', async (_, layout) => {
    const folder = await stoppedFolder();
    writeFileSync(folder.file, layout(JSON.parse(readFileSync(folder.file, 'utf8'))));
    expect(await paymentsIn(folder)).toEqual(['payment-1', 'payment-2', 'payment-3']);
  });

  it('is accepted, with a single warning, if a record was replaced by hand', async () => {
    const folder = await stoppedFolder();
    folder.edit(folder.file, (lines) => {
      const added = JSON.stringify(payment('payment-9'), null, 2);
      return lines.toSpliced(10, 1, `${added},`);
    });
    expect(await paymentsIn(folder)).toEqual(['payment-1', 'payment-9', 'payment-3']);
    expect(folder.warnings).toEqual([changedWarning(folder)]);
    expect(await paymentsIn(folder)).toEqual(['payment-1', 'payment-9', 'payment-3']);
    expect(folder.warnings).toHaveLength(1);
  });

  it('is not written again by a start and a stop without calls', async () => {
    const folder = await stoppedFolder();
    const before = folder.contents();
    await paymentsIn(folder);
    expect(folder.contents()).toEqual(before);
  });

  const invalid: [string, (lines: string[]) => string[] | string, number | undefined, RegExp][] = [
    ['a record that is not JSON', (lines) => lines.with(10, lines[10]?.replace(':', '') ?? ''), 11, /not JSON/],
    ['a record cut off within a text', (lines) => lines.with(10, lines[10]?.slice(0, 20) ?? ''), 11, /not JSON/],
    ['a file cut off', (lines) => lines.slice(0, 10), 10, /not JSON/],
    ['a comma that is missing between records', (lines) => lines.with(9, lines[9]?.slice(0, -1) ?? ''), 11, /not JSON/],
    ['an additional comma', (lines) => lines.with(11, `${lines[11]},`), 13, /not JSON/],
    ['a bracket that is missing', (lines) => lines.toSpliced(15, 1), 16, /not JSON/],
    ['a text instead of JSON', () => 'hello\n', 1, /not JSON/],
    ['text after the end', (lines) => [...lines, '{}'], 27, /not JSON/],
    ['a record instead of a session', (lines) => lines.with(7, '        {"id":"x"},'), 8, /not JSON/],
    ['a name twice', (lines) => lines.with(18, '      "name": "default",'), undefined, /\$\.sessions\[1\]\.name/],
    ['no name', (lines) => lines.toSpliced(18, 1), undefined, /\$\.sessions\[1\]\.name: expected .* received none/],
    ['sessions that are not a list', () => '{"format": 6, "lastCommit": 1, "sessions": 1}', undefined, /\$\.sessions/],
    ['an unknown journal mark', (lines) => lines.with(23, '  "journal": "nine"'), undefined, /\$\.journal/],
    ['no number of its last commit', (lines) => lines.toSpliced(3, 1), undefined, /lastCommit/],
    ['an unknown member', (lines) => lines.toSpliced(3, 0, '  "note": "mine",'), undefined, /\$\.note/],
    ['another format', (lines) => lines.with(2, '  "format": 5,'), undefined, /format 5; this version.*format 6\./],
    ['no format', () => '{}', undefined, /no known format/],
    ['an array', () => '[]', undefined, /no known format/],
  ];

  it.each(invalid)('is refused, with file and line or path, and not changed: %s', async (_, edit, line, message) => {
    const folder = await stoppedFolder();
    folder.edit(folder.file, edit);
    const before = folder.contents();
    const refusal = { name: 'StoreError', file: folder.file, line, message: expect.stringMatching(message) };
    await expect(folder.open()).rejects.toMatchObject(refusal);
    expect(folder.contents()).toEqual(before);
  });

  const invalidSessions: [string, (lines: string[]) => string[], RegExp][] = [
    [
      'a record of another shape',
      (lines) => lines.with(11, lines[11]?.replace('"amount":1000', '"amount":"10.00"') ?? ''),
      /\$\.payments\[2\]\.amount: expected an integer/,
    ],
    [
      'a record with an unknown field',
      (lines) => lines.with(11, lines[11]?.replace('"amount"', '"sum":1,"amount"') ?? ''),
      /\$\.payments\[2\]\.sum/,
    ],
    [
      'a duplicate id',
      (lines) => lines.toSpliced(9, 0, lines[9] ?? ''),
      /\$\.payments\[1\]\.id: expected an id that no/,
    ],
    ['a record in the wrong collection', (lines) => lines.with(14, lines[9]?.slice(0, -1) ?? ''), /\$\.endpoints\[0\]/],
    ['a number instead of a record', (lines) => lines.with(10, '        77,'), /\$\.payments\[1\]: expected an object/],
    ['records instead of a state', (lines) => lines.with(7, '      "state": [{}],'), /\$\.state/],
    ['a state without its seed', (lines) => lines.with(7, '      "state": {},'), /\$\.state.*seed/],
    ['a session without its state', (lines) => lines.toSpliced(7, 1), /\$\.state/],
    ['an unknown collection', (lines) => lines.with(8, '      "purses": ['), /\$\.purses/],
    ['a collection that is not a list', (lines) => lines.toSpliced(8, 0, '      "links": 7,'), /\$\.links/],
  ];

  it.each(invalidSessions)(
    'with %s in one session is read without that session, and not changed',
    async (_, edit, message) => {
      const folder = await stoppedFolder();
      folder.edit(folder.file, edit);
      const before = readFileSync(folder.file, 'utf8');
      const store = await folder.open();
      const text = `session default cannot be read, and every call of it is refused. ${folder.file}: session default: `;
      expect(folder.warnings).toEqual([changedWarning(folder), expect.stringContaining(text)]);
      expect(folder.warnings[1]).toMatch(message);
      expect((await store.sessions()).map(({ name }) => name)).toEqual(['empty']);
      await store.commit({ session: 'empty', changes: [put('payments', payment('payment-1'))] });
      await store.close();
      expect(readFileSync(folder.file, 'utf8')).toBe(before);
    },
  );

  const validEdits: [string, (lines: string[]) => string[] | string, string[]][] = [
    ['a line that was indented', (lines) => lines.with(9, ` ${lines[9]}`), ['1', '2', '3']],
    ['two records swapped', (lines) => lines.with(9, lines[10] ?? '').with(10, lines[9] ?? ''), ['2', '1', '3']],
    ['a record that is missing', (lines) => lines.toSpliced(9, 1), ['2', '3']],
    ['a different digest', (lines) => lines.with(22, '  "digest": "00000000",'), ['1', '2', '3']],
    ['no digest', (lines) => lines.toSpliced(22, 1), ['1', '2', '3']],
    ['no newline at the end', (lines) => lines.join('\n').trimEnd(), ['1', '2', '3']],
    ['a blank at the end', (lines) => lines.with(24, '} '), ['1', '2', '3']],
    [
      'the old digest with another amount',
      (lines) => lines.with(9, lines[9]?.replace(':1000', ':1001') ?? ''),
      ['1', '2', '3'],
    ],
  ];

  it.each(validEdits)('is accepted, with a warning: %s', async (_, edit, expected) => {
    const folder = await stoppedFolder();
    folder.edit(folder.file, edit);
    expect(await paymentsIn(folder)).toEqual(expected.map((number) => `payment-${number}`));
    expect(folder.warnings).toEqual([changedWarning(folder)]);
  });

  it('is created with its folder if it is missing, and may be empty', async () => {
    const folder = new DataFolder(join(newFolder(), 'a', 'b'));
    expect(await paymentsIn(folder)).toEqual([]);
    writeFileSync(folder.file, '');
    expect(await paymentsIn(folder)).toEqual([]);
  });

  it('may take longer to read than a lease lasts without renewal', async () => {
    const folder = await stoppedFolder();
    const now = performance.now.bind(performance);
    const clock = import.meta.jest.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
    clock.mockImplementationOnce(() => now());
    const store = await folder.open();
    clock.mockRestore();
    expect((await store.list('default', 'payments', { limit: 99 })).items).toHaveLength(3);
    await store.close();
  });

  it('is still the target of a link after a process opened it through the link', async () => {
    const folder = await stoppedFolder();
    const other = new DataFolder(newFolder());
    symlinkSync(folder.file, other.file);
    const store = await other.open();
    await store.commit({ session: 'default', changes: [put('payments', payment('payment-4'))] });
    await store.close();
    expect(await paymentsIn(folder)).toEqual(['payment-1', 'payment-2', 'payment-3', 'payment-4']);
  });

  it('is refused, with its name, if it is a folder', async () => {
    const file = newFolder();
    mkdirSync(join(file, 'inside'));
    const opening = openStore({ file, syncToDisk: false, onWarning: () => undefined });
    await expect(opening).rejects.toMatchObject({
      name: 'StoreError',
      file,
      message: expect.stringContaining('cannot be used'),
    });
  });
});
