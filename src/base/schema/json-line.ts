import { type Node, parseTree } from 'jsonc-parser';
import { describeFinding, type Finding } from '../refusal.ts';
import { keysIn } from './json-path.ts';

/** A finding in a file as a sentence, with its line if the text of the file is given. */
export function sentenceOf(finding: Finding, text?: string): string {
  const line = text === undefined ? undefined : lineOf(text, finding.path);
  return `${describeFinding(finding)}${line === undefined ? '' : ` (line ${line})`}`;
}

/** The line, from 1, of the member at a JSON path, or of the enclosing one if it is missing; undefined if that is unknown. */
export function lineOf(text: string, path: string): number | undefined {
  let place = rootOf(text);
  let value = place;
  for (const key of keysIn(path)) {
    const child = value && childOf(value, key);
    if (!child) {
      break;
    }
    place = child;
    value = child.type === 'property' ? child.children?.[1] : child;
  }
  return place && text.slice(0, place.offset).split('\n').length;
}

/** An entry of an array, or the property of an object; if it is repeated, the last one, which JSON.parse uses. */
function childOf({ type, children = [] }: Node, key: string): Node | undefined {
  return type === 'array' ? children[Number(key)] : children.findLast((each) => each.children?.[0]?.value === key);
}

function rootOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch {
    // The parser is recursive, so very deep nesting overflows the stack.
    return undefined;
  }
}
