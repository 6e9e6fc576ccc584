import { messageOf } from '../../base/errors.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { PayoutsFixture } from '../../base/schema/generated/fixtures.ts';
import { memberPath } from '../../base/schema/json-path.ts';

/** Findings about patterns that are not regular expressions, and about codes without a reason. */
export function checkPayouts({ codes, checks, accounts }: PayoutsFixture): Finding[] {
  const checkFindings = Object.entries(checks).flatMap(([name, check]) => {
    const path = `$.checks.${name}`;
    return check === null
      ? []
      : [
          ...('pattern' in check ? checkPattern(check.pattern, `${path}.pattern`) : []),
          ...checkCode(check.code, codes.Failed, `${path}.code`),
        ];
  });
  const accountFindings = Object.entries(accounts).flatMap(([number, account]) =>
    account === null ? [] : checkCode(account.code, codes[account.outcome], `${memberPath('$.accounts', number)}.code`),
  );
  return [...checkFindings, ...accountFindings];
}

function checkPattern(pattern: string, path: string): Finding[] {
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    return [errorFinding(path, 'a regular expression', messageOf(error))];
  }
}

function checkCode(code: string, reasons: Readonly<Record<string, string>>, path: string): Finding[] {
  return Object.hasOwn(reasons, code)
    ? []
    : [errorFinding(path, `one of ${Object.keys(reasons).join(', ')}`, JSON.stringify(code))];
}
