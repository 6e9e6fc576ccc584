import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriftReport } from '../../../src/base/schema/generated/recordings.ts';
import { drift } from '../../../src/recordings/drift.ts';
import { DEVIATIONS, type Deviation, type ExpectedDifference } from './deviations.ts';
import { recordStory } from './record-story.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'provider-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The differences between a recording of the provider and a sandbox in which every payer pays after three seconds. */
async function driftWith(deviations: readonly Deviation[]): Promise<DriftReport> {
  await recordStory(folder, new Set(deviations));
  return drift({ folder, scenario: 'auto-approve' });
}

function differencesOf({ differences }: DriftReport): unknown[] {
  return differences.map(({ kind, place, channel }) => ({
    kind,
    channel,
    place: /^\$|^x-/.test(place) ? place : undefined,
  }));
}

function expectedDifferences(deviations: readonly Deviation[]): unknown[] {
  return deviations.map((name) => {
    const { kind, channel, place }: ExpectedDifference = DEVIATIONS[name];
    return { kind, channel, place };
  });
}

const ALL = Object.keys(DEVIATIONS) as Deviation[];

describe('drift with an independent implementation of the interface', () => {
  test('finds nothing if the provider behaves like the sandbox', async () => {
    const report = await driftWith([]);
    expect(report.differences).toEqual([]);
    expect(report.compared).toMatchObject({ exchanges: 30, payments: 8, notifications: 8 });
    expect(report.notCompared).toEqual([]);
  });

  test.each(ALL)('finds %s, and nothing else', async (name) => {
    expect(differencesOf(await driftWith([name]))).toEqual(expectedDifferences([name]));
  });

  test('finds all deviations at once, and nothing else', async () => {
    const report = await driftWith(ALL);
    expect(new Set(differencesOf(report).map((each) => JSON.stringify(each)))).toEqual(
      new Set(expectedDifferences(ALL).map((each) => JSON.stringify(each))),
    );
  });
});
