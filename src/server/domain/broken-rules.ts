import { capFindings, describeFindings, type Finding, Refusal } from '../../base/refusal.ts';
import { describeReceived } from '../../base/schema/describe.ts';
import { valueAt } from '../../base/schema/json-path.ts';

export interface BrokenRule {
  /** JSON path of the member in the order, e.g. `$.split[0].merchantId`. */
  path: string;
  expected: string;
  value: unknown;
  /** A clause that follows the description of the value, e.g. "which is not approved". */
  remark?: string;
  /** JSON paths of other members that the rule depends on: if one of these is wrong, the rule is not reported. */
  involves?: readonly string[];
}

/** One refusal for all business rules that an order breaks, each with its path. */
export class BrokenRules extends Refusal {
  readonly rules: readonly BrokenRule[];

  constructor(rules: readonly BrokenRule[]) {
    const allFindings = rules.map(({ path, expected, value, remark }): Finding => {
      const received = describeReceived(path, value);
      return {
        path,
        expected,
        received: remark === undefined ? received : `${received}, ${remark}`,
        severity: 'error',
      };
    });
    const findings = capFindings(allFindings);
    super('business-rule', describeFindings(findings), { findings });
    this.rules = rules;
  }

  /** The same rules, with paths in the request's names and values from its body. */
  inTermsOf(body: unknown, names: Readonly<Record<string, string>>): BrokenRules {
    const renamePath = (path: string) => path.replace(/[a-z]\w*/gi, (name) => names[name] ?? name);
    return new BrokenRules(
      this.rules.map(({ involves = [], ...rule }) => {
        const path = renamePath(rule.path);
        return { ...rule, path, involves: involves.map(renamePath), value: valueAt(body, path) ?? rule.value };
      }),
    );
  }

  /** The rules that depend on none of the members at these paths. */
  independentOf(wrongPaths: readonly string[]): BrokenRules {
    const isIndependent = (path: string) => !wrongPaths.some((each) => isWithin(path, each) || isWithin(each, path));
    return new BrokenRules(this.rules.filter(({ path, involves = [] }) => [path, ...involves].every(isIndependent)));
  }
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** Returns the result of `work`. Broken rules that it throws are thrown in the terms of the request. */
export function inTermsOf<Result>(body: unknown, names: Readonly<Record<string, string>>, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof BrokenRules ? error.inTermsOf(body, names) : error;
  }
}

export function throwIfBroken(rules: readonly BrokenRule[]): void {
  if (rules.length > 0) {
    throw new BrokenRules(rules);
  }
}
