import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { describeFindings } from '../../base/refusal.ts';
import type { DifferenceKind, NoiseCount, NoiseRule, NoiseRules } from '../../base/schema/generated/recordings.ts';
import { validate } from '../../base/schema/validation.ts';
import { guessOrList } from '../../base/text/nearest.ts';
import { readJsonFile } from '../../base/written-file.ts';
import { RecordingError } from '../recording.ts';
import { SHIPPED_NOISE_RULES, TOLERANCE } from './shipped-noise-rules.ts';
import type { DriftContext, SingleDifference } from './single-difference.ts';

/** The default file, in the folder of the recording. */
const DEFAULT_FILE = 'noise.json';

/** The kinds of differences that a rule can ignore. Others are never noise, such as a change of type. */
const IGNORED_KINDS: Readonly<Record<NoiseRule['ignores'], readonly DifferenceKind[]>> = {
  value: ['word', 'header'],
  format: ['word', 'header', 'format'],
  everything: ['word', 'header', 'format', 'missing-member', 'new-member', 'null-or-empty', 'order'],
};

/** The shipped rules and those of the user, merged. */
export type ActiveRules = Required<Pick<NoiseRules, 'rules' | 'tolerance'>>;

/** The rules of a file, and the shipped rules that it does not replace or disable. Throws RecordingError. */
export async function readNoiseRules(folder: string, file: string | undefined): Promise<ActiveRules> {
  const defaultFile = join(folder, DEFAULT_FILE);
  const name = file ?? (existsSync(defaultFile) ? defaultFile : undefined);
  if (name === undefined) {
    return { rules: [...SHIPPED_NOISE_RULES], tolerance: TOLERANCE };
  }
  const value = readRules(name);
  const findings = await validate('recordings/noise-rules', value);
  if (findings.length > 0) {
    throw new RecordingError(`${name}: ${describeFindings(findings)}`);
  }
  return mergeRules(value as NoiseRules, name);
}

function readRules(file: string): unknown {
  try {
    return readJsonFile(file);
  } catch (error) {
    throw new RecordingError(`${file} ${messageOf(error)}`);
  }
}

function mergeRules({ off = [], rules = [], tolerance = TOLERANCE }: NoiseRules, file: string): ActiveRules {
  const shippedNames = SHIPPED_NOISE_RULES.map(({ name }) => name);
  const unknown = off.find((name) => !shippedNames.includes(name));
  if (unknown !== undefined) {
    throw new RecordingError(
      `${file}: there is no noise rule ${unknown}${guessOrList(unknown, shippedNames, 'the rules are')}`,
    );
  }
  const replaced = new Set([...off, ...rules.map(({ name }) => name)]);
  return { rules: [...rules, ...SHIPPED_NOISE_RULES.filter(({ name }) => !replaced.has(name))], tolerance };
}

/** Decides whether differences are noise, and counts how many each rule ignored. */
export class NoiseFilter {
  readonly #active: ActiveRules;
  readonly #counts = new Map<string, number>();

  constructor(active: ActiveRules) {
    this.#active = active;
  }

  get counts(): NoiseCount[] {
    return this.#active.rules.map(({ name, why }) => ({ name, why, count: this.#counts.get(name) ?? 0 }));
  }

  /** Whether a rule ignores the difference. If so, counts it for that rule. */
  countIfNoise(difference: SingleDifference, context: DriftContext): boolean {
    const rule = this.#active.rules.find((each) => applies(each, difference, context));
    if (rule) {
      this.#counts.set(rule.name, (this.#counts.get(rule.name) ?? 0) + 1);
    }
    return rule !== undefined;
  }

  /** How far the sandbox may deviate from a recorded delay or time between attempts. */
  toleranceMs(milliseconds: number): number {
    const { share, atLeastMs } = this.#active.tolerance;
    return Math.max(share * milliseconds, atLeastMs);
  }
}

function applies(
  { ignores, operations, members, headers, formats }: NoiseRule,
  { kind, place, recorded, sandbox }: SingleDifference,
  { part, operation }: DriftContext,
): boolean {
  const isHeader = kind === 'header';
  const isOneSided = recorded.is === null || sandbox.is === null;
  if (!IGNORED_KINDS[ignores].includes(kind) || (isHeader && isOneSided && ignores !== 'everything')) {
    return false;
  }
  const isNamed = isHeader
    ? headers?.some((pattern) => matches(pattern, place))
    : members?.some((pattern) => matches(pattern, place) || matches(pattern, lastNameIn(place)));
  const subject = part === 'notification' ? 'notification' : operation;
  return (
    (!operations || operations.some((name) => name === subject)) &&
    ((!members && !headers) || isNamed === true) &&
    (!formats || haveFormat(formats, ignores, [recorded.is ?? '', sandbox.is ?? '']))
  );
}

function haveFormat(formats: readonly string[], ignores: NoiseRule['ignores'], sides: readonly string[]): boolean {
  const matchesAny = (side: string) => formats.some((pattern) => matches(pattern, side));
  return ignores === 'value' ? sides.every(matchesAny) : sides.some(matchesAny);
}

/** `$.a.items[]` → items. */
function lastNameIn(place: string): string {
  return /([\w$]+)(?:\[\])*$/.exec(place)?.[1] ?? place;
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 'i').test(text);
}
