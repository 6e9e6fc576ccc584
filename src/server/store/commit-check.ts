import { describeFindings, type Finding } from '../../base/refusal.ts';
import { synchronousValidate } from '../../base/schema/validation.ts';
import { recordSchemas } from './record-schemas.ts';
import type { Commit, Store } from './store.ts';

/** All tests have it in their environment, and with them the programs that they start. */
const SWITCH = 'MERCHANT_SANDBOX_CHECK_COMMITS';

type Validate = (name: string, value: unknown) => readonly Finding[];

/**
 * The store; if the environment says so, with a check of each commit by the schemas that reading applies. An invalid commit is a
 * bug of the sandbox, so the process ends, because an error could be overlooked. Valid records are frozen, because the store returns
 * the committed objects themselves: code that changes a record in place fails.
 */
export async function withCommitCheck<S extends Store>(store: S): Promise<S> {
  if (process.env[SWITCH]) {
    const validate = await synchronousValidate();
    const commit = store.commit.bind(store);
    store.commit = async (change) => {
      const problem = problemWith(change, validate);
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

function problemWith({ state, changes }: Commit, validate: Validate): string | undefined {
  const schemas: Partial<Record<string, string>> = recordSchemas();
  const written = [
    { what: 'the state', schema: 'records/session-state', value: state },
    ...changes.map(({ collection, id, record }) => ({
      what: `${collection} ${id}`,
      schema: schemas[collection],
      value: record,
    })),
  ];
  for (const { what, schema, value } of written) {
    // Every store refuses an unknown collection itself.
    const findings = schema && value ? validate(schema, JSON.parse(JSON.stringify(value))) : [];
    if (findings.length > 0) {
      return `${what}: ${describeFindings(findings)}`;
    }
  }
  return undefined;
}

function freeze(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(freeze);
  }
}
