import { isNameIn, namesIn } from '../../base/members.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { validate } from '../../base/schema/validation.ts';
import type { Steps } from '../../base/steps.ts';
import { newTurnPause } from '../../base/timers.ts';
import { COLLECTIONS } from './collections.ts';
import { DATA_FORMAT } from './file/stored-state.ts';
import { recordSchemas } from './record-schemas.ts';
import type { SessionSnapshot } from './store.ts';

const MAX_FINDINGS = 100;

/** Findings where a session's snapshot does not fit the schemas. The check stops once there are more than MAX_FINDINGS. */
export async function checkShape(snapshot: object): Promise<readonly Finding[]> {
  const lists = Object.entries(snapshot).flatMap(([name, value]) =>
    isNameIn(COLLECTIONS, name) && Array.isArray(value) ? [{ name, records: value as unknown[] }] : [],
  );
  const outline = { ...snapshot, ...Object.fromEntries(lists.map(({ name }) => [name, []])), name: '' };
  const outlineFindings = await validate('state', { format: DATA_FORMAT, lastCommit: 0, sessions: [outline] });
  const findings = outlineFindings.map((finding) => withRoot('$', finding, /^\$\.sessions\[0\]/));
  if ('name' in snapshot) {
    findings.push(errorFinding('$.name', 'no name: a state is imported into the session of the call', 'a name'));
  }
  const pause = newTurnPause();
  for (const { name, records } of lists) {
    const schema = recordSchemas()[name];
    for (const [index, record] of records.entries()) {
      const path = `$.${name}[${index}]`;
      const recordFindings = [...(await validate(schema, record)), ...findUnsafeNumbers(record, '$')];
      findings.push(...recordFindings.map((finding) => withRoot(path, finding)));
      if (findings.length > MAX_FINDINGS) {
        return findings;
      }
      await pause();
    }
  }
  return findings;
}

/** Findings for ids that another record of the collection has already. */
export function* findRepeatedIds({ state: _, ...collections }: SessionSnapshot): Steps<Finding[]> {
  const findings: Finding[] = [];
  for (const collection of namesIn(collections)) {
    const ids = new Set<string>();
    for (const [index, { id }] of (collections[collection] ?? []).entries()) {
      if (ids.has(id)) {
        const path = `$.${collection}[${index}].id`;
        findings.push(errorFinding(path, 'an id that no other record has', JSON.stringify(id)));
      }
      ids.add(id);
      yield;
    }
  }
  return findings;
}

/** Findings for numbers that are too large for exact arithmetic: their sums could be wrong, or infinite, which JSON cannot represent. */
function findUnsafeNumbers(value: unknown, path: string): Finding[] {
  if (typeof value === 'number') {
    const isSafe = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isSafe ? [] : [errorFinding(path, `a number up to ${Number.MAX_SAFE_INTEGER}`, `number ${value}`)];
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return members.flatMap(([name, member]) =>
    findUnsafeNumbers(member, memberPath(path, Array.isArray(value) ? Number(name) : name)),
  );
}

/** The finding with a path that begins at the whole state. */
function withRoot(path: string, finding: Finding, root: RegExp = /^\$/): Finding {
  return { ...finding, path: finding.path.replace(root, () => path) };
}
