import { describeFindings, type Finding } from '../../base/refusal.ts';
import { synchronousValidate } from '../../base/schema/validation.ts';
import { recordSchemas } from './record-schemas.ts';
import type { Commit, Store } from './store.ts';

/** The environment variable that enables the check. The configuration of the tests sets it, and programs that they start inherit it. */
const CHECK_VARIABLE = 'MERCHANT_SANDBOX_CHECK_COMMITS';

type Validate = (name: string, value: unknown) => readonly Finding[];

/**
 * If the environment variable is set, validates each commit of a store against the schemas that are applied when data is read. An
 * invalid commit is a bug in the sandbox: the process ends, because an error could be overlooked. Records of a valid commit are frozen,
 * because the store returns the committed objects themselves: code that changes a record in place fails.
 */
export async function withCommitCheck<S extends Store>(store: S): Promise<S> {
  if (process.env[CHECK_VARIABLE]) {
    const validate = await synchronousValidate();
    const commit = store.commit.bind(store);
    store.commit = async (change) => {
      const problem = findProblem(change, validate);
      if (problem !== undefined) {
        const error = new Error(`a commit of session ${change.session} cannot be read again: ${problem}`);
        process.nextTick(() => {
          throw error;
        });
        throw error;
      }
      freeze(change);
      await commit(change);
    };
  }
  return store;
}

function findProblem({ state, changes }: Commit, validate: Validate): string | undefined {
  const schemas: Partial<Record<string, string>> = recordSchemas();
  const values = [
    { subject: 'the state', schema: 'records/session-state', value: state },
    ...changes.map(({ collection, id, record }) => ({
      subject: `${collection} ${id}`,
      schema: schemas[collection],
      value: record,
    })),
  ];
  for (const { subject, schema, value } of values) {
    // Without a schema the collection is unknown, and every store refuses it.
    const findings = schema && value ? validate(schema, JSON.parse(JSON.stringify(value))) : [];
    if (findings.length > 0) {
      return `${subject}: ${describeFindings(findings)}`;
    }
  }
  return undefined;
}

function freeze(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(freeze);
  }
}
