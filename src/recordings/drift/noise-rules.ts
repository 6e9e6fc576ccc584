import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { DifferenceKind, NoiseCount, NoiseRule, NoiseRules } from '../../base/schema/recordings.ts';
import { validate } from '../../base/schema/validation.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import { readJson } from '../../base/written-file.ts';
import { RecordingError } from '../recording.ts';
import { NOISE } from './noise.ts';
import type { Context, Seen } from './seen.ts';

/** Taken from the folder of a recording where no other file is named. */
const FILE = 'noise.json';

/** The kinds that a rule takes away unless it names others. What is not here is never noise, a change of type above all. */
const IGNORED: Readonly<Record<NoiseRule['ignores'], readonly DifferenceKind[]>> = {
  value: ['word', 'header'],
  format: ['word', 'header', 'format'],
  everything: ['word', 'header', 'format', 'missing-member', 'new-member', 'null-or-empty', 'order', 'length'],
  tolerance: ['delay', 'spacing'],
};

/** The rules in force: the shipped ones, but for those that a file replaces or switches off, and the file's. Throws RecordingError. */
export async function readNoiseRules(folder: string, file: string | undefined): Promise<readonly NoiseRule[]> {
  const own = join(folder, FILE);
  const name = file ?? (existsSync(own) ? own : undefined);
  if (name === undefined) {
    return NOISE;
  }
  const value = readRules(name);
  const findings = await validate('recordings/noise-rules', value);
  if (findings.length > 0) {
    const said = findings.map(({ path, expected, received }) => `${path}: expected ${expected}; received ${received}`);
    throw new RecordingError(`${name}: ${said.join('; ')}`);
  }
  return rulesWith(value as NoiseRules, name);
}

function readRules(file: string): unknown {
  try {
    return readJson(file);
  } catch (error) {
    throw new RecordingError(`${file} ${messageOf(error)}`);
  }
}

function rulesWith({ off = [], rules = [] }: NoiseRules, file: string): readonly NoiseRule[] {
  const shipped = NOISE.map(({ name }) => name);
  for (const name of off) {
    if (!shipped.includes(name)) {
      throw new RecordingError(
        `${file}: there is no noise rule ${name}${didYouMean(name, shipped)}; the rules are ${shipped.join(', ')}`,
      );
    }
  }
  const gone = new Set([...off, ...rules.map(({ name }) => name)]);
  return [...rules, ...NOISE.filter(({ name }) => !gone.has(name))];
}

/** Says of differences whether they are noise, and counts which rule took how many away. */
export class NoiseFilter {
  readonly #rules: readonly NoiseRule[];
  readonly #counts = new Map<string, number>();

  constructor(rules: readonly NoiseRule[]) {
    this.#rules = rules;
  }

  get counts(): NoiseCount[] {
    return this.#rules.map(({ name, why }) => ({ name, why, count: this.#counts.get(name) ?? 0 }));
  }

  /** Whether a rule takes a difference away that was seen `times` times. `isVarying`: its value was another one each time. */
  takes(seen: Seen, context: Context, { times = 1, isVarying = false } = {}): boolean {
    const rule = this.#rules.find(
      (each) => (each.varying ?? false) === isVarying && each.ignores !== 'tolerance' && applies(each, seen, context),
    );
    return rule !== undefined && this.#count(rule, times);
  }

  /** Milliseconds that a delay or a spacing may be away from the recorded one. */
  tolerance(kind: 'delay' | 'spacing', milliseconds: number): number {
    const rule = this.#toleranceOf(kind);
    return rule ? Math.max((rule.share ?? 0) * milliseconds, rule.atLeastMs ?? 0) : 0;
  }

  /** A delay or a spacing was another one within the tolerance. */
  tolerated(kind: 'delay' | 'spacing'): void {
    const rule = this.#toleranceOf(kind);
    if (rule) {
      this.#count(rule, 1);
    }
  }

  #toleranceOf(kind: 'delay' | 'spacing'): NoiseRule | undefined {
    return this.#rules.find(({ ignores, kinds }) => ignores === 'tolerance' && (kinds ?? [kind]).includes(kind));
  }

  #count({ name }: NoiseRule, times: number): true {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
    return true;
  }
}

function applies(rule: NoiseRule, { kind, place, recorded, sandbox }: Seen, { part, operation }: Context): boolean {
  const { ignores, kinds, operations, members, headers, formats } = rule;
  const isHeader = kind === 'header' || kind === 'content-type';
  if (!IGNORED[ignores].includes(kind) || (kinds && !kinds.includes(kind))) {
    return false;
  }
  if (kind === 'header' && ignores !== 'everything' && (recorded.is === null || sandbox.is === null)) {
    return false;
  }
  const subject = part === 'notification' ? 'notification' : operation;
  return (
    (!operations || operations.some((name) => name === subject)) &&
    (!members || (!isHeader && members.some((pattern) => fits(pattern, place) || fits(pattern, lastNameIn(place))))) &&
    (!headers || (isHeader && headers.some((pattern) => fits(pattern, place)))) &&
    (!formats || haveFormat(formats, ignores, [recorded.is ?? '', sandbox.is ?? '']))
  );
}

function haveFormat(formats: readonly string[], ignores: NoiseRule['ignores'], sides: readonly string[]): boolean {
  const has = (side: string) => formats.some((pattern) => fits(pattern, side));
  return ignores === 'value' ? sides.every(has) : sides.some(has);
}

/** `$.a.items[]` → items. */
function lastNameIn(place: string): string {
  return /([\w$]+)(?:\[\])*$/.exec(place)?.[1] ?? place;
}

const patterns = new Map<string, RegExp>();

function fits(pattern: string, text: string): boolean {
  let expression = patterns.get(pattern);
  if (!expression) {
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    expression = new RegExp(`^${escaped}$`, 'i');
    patterns.set(pattern, expression);
  }
  return expression.test(text);
}
