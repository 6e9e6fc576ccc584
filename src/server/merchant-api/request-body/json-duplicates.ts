import { visit } from 'jsonc-parser';
import { capFindings, type Finding } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';

/** JSON paths of members that occur twice in a JSON text; the value has the last of each. */
export function duplicatesIn(text: string, value: object): readonly Finding[] {
  // Every member has a colon. Few texts have more of them, so few are read a second time.
  return count(text, ':') === membersIn(value) ? NONE : capFindings(findDuplicates(text));
}

const NONE: readonly Finding[] = Object.freeze([]);

function findDuplicates(text: string): Finding[] {
  const findings = new Map<string, Finding>();
  const open: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => {
        open.push(new Set());
      },
      onObjectEnd: () => {
        open.pop();
      },
      onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
        const known = open.at(-1);
        if (known?.has(name)) {
          const path = memberPath(pathOf().reduce<string>(memberPath, '$'), name);
          findings.set(path, { path, expected: 'one field of this name', received: 'several', severity: 'error' });
        }
        known?.add(name);
      },
    });
  } catch {
    // The parser is recursive: nesting that is deep enough ends it. Such a body is refused, or a later member replaced it.
  }
  return [...findings.values()];
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    found += 1;
  }
  return found;
}

function membersIn(value: object): number {
  const inside: unknown[] = Object.values(value);
  let members = Array.isArray(value) ? 0 : inside.length;
  for (const each of inside) {
    if (typeof each === 'object' && each !== null) {
      members += membersIn(each);
    }
  }
  return members;
}
