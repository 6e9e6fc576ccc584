import { visit } from 'jsonc-parser';
import { capFindings, errorFinding, type Finding } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';

/** Findings for members that a JSON text repeats; `value`, the parsed text, has the last of each. */
export function duplicatesIn(text: string, value: object): readonly Finding[] {
  // Every member has a colon. If the text has no further colons, it need not be parsed a second time.
  return countCharacter(text, ':') === countMembers(value) ? NO_FINDINGS : capFindings(findDuplicates(text));
}

const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

function findDuplicates(text: string): Finding[] {
  const findings = new Map<string, Finding>();
  const openObjects: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => {
        openObjects.push(new Set());
      },
      onObjectEnd: () => {
        openObjects.pop();
      },
      onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
        const names = openObjects.at(-1);
        if (names?.has(name)) {
          const path = memberPath(pathOf().reduce<string>(memberPath, '$'), name);
          findings.set(path, errorFinding(path, 'one field of this name', 'several'));
        }
        names?.add(name);
      },
    });
  } catch {
    // Deep nesting overflows the stack of this parser. checkTree has refused it, unless a later duplicate replaced it.
  }
  return [...findings.values()];
}

function countCharacter(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
}

function countMembers(value: object): number {
  const memberValues: unknown[] = Object.values(value);
  let members = Array.isArray(value) ? 0 : memberValues.length;
  for (const each of memberValues) {
    if (typeof each === 'object' && each !== null) {
      members += countMembers(each);
    }
  }
  return members;
}
