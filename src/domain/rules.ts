import { capFindings, type Finding, Refusal } from '../refusal.ts';
import { describeReceived } from '../schema/describe.ts';
import { valueAt } from '../schema/json-path.ts';

/** A business rule that an order breaks. */
export interface BrokenRule {
  /** JSON path of the member in the order, e.g. `$.split[0].merchantId`. */
  path: string;
  expected: string;
  value: unknown;
  /** What is wrong with the value beside what it is: "which is not approved". */
  remark?: string;
}

/** One refusal for all business rules that an order breaks, each with its path. */
export class BrokenRules extends Refusal {
  readonly rules: readonly BrokenRule[];

  constructor(rules: readonly BrokenRule[]) {
    const broken = rules.map(({ path, expected, value, remark }): Finding => {
      const received = describeReceived(path, value);
      return {
        path,
        expected,
        received: remark === undefined ? received : `${received}, ${remark}`,
        severity: 'error',
      };
    });
    const findings = capFindings(broken);
    const sentences = findings.map(
      ({ path, expected, received }) => `${path}: expected ${expected}, received ${received}`,
    );
    super('business-rule', sentences.join('; '), { findings });
    this.rules = rules;
  }

  /** The same in the terms of a request: by its names for the order's members, with the values as they came. */
  inTermsOf(body: unknown, names: Readonly<Record<string, string>>): BrokenRules {
    return new BrokenRules(
      this.rules.map((rule) => {
        const path = rule.path.replace(/[a-z]\w*/gi, (name) => names[name] ?? name);
        return { ...rule, path, value: valueAt(body, path) ?? rule.value };
      }),
    );
  }
}

/** Refuses an order that breaks a rule, with all that it breaks. */
export function refuseBroken(rules: readonly BrokenRule[]): void {
  if (rules.length > 0) {
    throw new BrokenRules(rules);
  }
}
