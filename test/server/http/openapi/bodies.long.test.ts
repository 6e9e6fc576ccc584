import fc from 'fast-check';
import { validate } from '../../../../src/base/schema/validation.ts';
import { CONTROL_OPERATIONS } from '../../../../src/server/control-api/operations.ts';
import { requireOperation } from '../../../../src/server/merchant-api/operations.ts';
import { validateBody } from '../../../../src/server/merchant-api/validate-body.ts';
import { cases } from '../../../cases.ts';
import { tokenOf } from '../../../interface/calls.ts';
import { PNG } from '../../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { type Document, documentOf, exampleCount, exampleRequest, operationsIn } from './document.ts';
import { bodiesOf } from './samples.ts';

let sandbox: Sandbox;
let document: Document;

beforeAll(async () => {
  sandbox = await startSandbox();
  document = await documentOf(sandbox);
});
afterAll(() => sandbox.close());

describe('a body generated from the document', () => {
  const contentsOf = (isIncluded: (tags: readonly string[]) => boolean) =>
    operationsIn(document).flatMap(({ operationId, tags, requestBody }) =>
      isIncluded(tags) ? Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ operationId, schema })) : [],
    );
  const numRuns = cases(30);

  it('is accepted by the body validation of the merchant API', async () => {
    const contents = contentsOf((tags) => !tags.includes('control'));
    expect(contents.length).toBeGreaterThan(15);
    for (const { operationId, schema } of contents) {
      const operation = requireOperation(operationId.replace(/Sandbox$/, ''));
      await fc.assert(
        fc.asyncProperty(bodiesOf(document, schema), async (sample) => {
          const value = withImage(sample as object);
          const operationName =
            operation.alternative && operation.alternative.member in value
              ? operation.alternative.operation
              : operation.name;
          const options = { isLenient: false, fixtures: sandbox.fixtures };
          const { errors } = await validateBody(requireOperation(operationName), { value, findings: [] }, options);
          expect([operationId, errors]).toEqual([operationId, []]);
        }),
        { numRuns },
      );
    }
  });

  it('fits the schema of the control API', async () => {
    for (const { operationId, schema } of contentsOf((tags) => tags.includes('control'))) {
      const request = CONTROL_OPERATIONS.find(({ name }) => name === operationId)?.request ?? '';
      await fc.assert(
        fc.asyncProperty(bodiesOf(document, schema), async (sample) => {
          expect([operationId, await validate(request, sample)]).toEqual([operationId, []]);
        }),
        { numRuns },
      );
    }
  });

  /** Replaces the file by its form after parsing. */
  function withImage(members: object): object {
    return 'paymentLinkImage' in members
      ? { ...members, paymentLinkImage: { fileName: 'a.png', mediaType: 'image/png', size: PNG.length, bytes: PNG } }
      : members;
  }
});

describe('an example in the document', () => {
  // Examples that need a certain record, earlier calls, or a setting that this sandbox does not have.
  const refusedByNewSession = [
    'getPaymentStatus',
    'getPaymentStatusSandbox',
    'verifyRequests',
    'getCaCertificate',
    'startExamination',
  ];
  // They do not end.
  const streams = ['streamEvents', 'streamNotices'];
  const operations = () => operationsIn(document).filter(({ operationId }) => !streams.includes(operationId));

  it('is accepted by a new session, unless it needs a record, earlier calls or a setting', async () => {
    const refused: [name: string, ...unknown[]][] = [];
    for (const operation of operations()) {
      for (let index = 0; index < exampleCount(operation); index += 1) {
        const base = sandbox.sessionUrl(`${operation.operationId}-${index}`);
        const answer = await fetch(exampleRequest(operation, operation.path, base, await tokenOf(base), index));
        const text = await answer.text();
        if (!answer.ok && !(answer.status === 404 && operation.path.includes('{'))) {
          refused.push([operation.operationId, index, answer.status, text]);
        }
      }
    }
    expect(refused.filter(([name]) => !refusedByNewSession.includes(name))).toEqual([]);
    expect(refused).toHaveLength(refusedByNewSession.length);
  });
});
