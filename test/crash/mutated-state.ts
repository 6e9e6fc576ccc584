import type { Random } from '../random.ts';

const TEXTS = ['', 'x', '__proto__', '\ud800', '9999-12-31', '0000-01-01', 'P1000Y', 'payment-1', 'Paid', 'USD'];
const NUMBERS = [0, 1, -1, 0.5, 1e308, 999_999_999, Number.MAX_SAFE_INTEGER, 253_402_300_799_999, 158_731_487_999_999];

/** A copy of a state with one to three members changed, mostly to plausible values. */
export function mutateState(state: object, random: Random): object {
  const copy = structuredClone(state);
  for (let remaining = 1 + random(3); remaining > 0; remaining -= 1) {
    mutateMember(copy as Record<string, unknown>, random);
  }
  return copy;
}

function mutateMember(root: Record<string, unknown>, random: Random): void {
  const members: { holder: Record<string, unknown>; key: string }[] = [];
  collectMembers(root, members);
  // Chooses a name before a member, because otherwise nearly all changes would be in the most common members.
  const keys = [...new Set(members.map(({ key }) => (/^\d+$/.test(key) ? '0' : key)))];
  const chosenKey = keys[random(keys.length)];
  const candidates = members.filter(({ key }) => (/^\d+$/.test(key) ? '0' : key) === chosenKey);
  const member = candidates[random(candidates.length)];
  if (member) {
    const { holder, key } = member;
    const others = candidates.map((other) => other.holder[other.key]);
    const value = differentValue(holder[key], others, random);
    if (value === undefined) {
      Reflect.deleteProperty(holder, key);
      return;
    }
    holder[key] = value;
  }
}

function collectMembers(
  value: Record<string, unknown>,
  members: { holder: Record<string, unknown>; key: string }[],
): void {
  for (const [key, inner] of Object.entries(value)) {
    members.push({ holder: value, key });
    if (typeof inner === 'object' && inner !== null) {
      collectMembers(inner as Record<string, unknown>, members);
    }
  }
}

/** Undefined if the member should be deleted. */
function differentValue(value: unknown, others: readonly unknown[], random: Random): unknown {
  const other = structuredClone(others[random(others.length)]);
  if (typeof value === 'number' && random(3) > 0) {
    return [value + 1, value - 1, 2 * value, other, NUMBERS[random(NUMBERS.length)]][random(5)];
  }
  if (typeof value === 'string' && random(3) > 0) {
    return random(2) > 0 ? other : TEXTS[random(TEXTS.length)];
  }
  if (Array.isArray(value) && random(4) > 0) {
    const at = random(value.length + 1);
    return random(2) > 0 ? value.toSpliced(at, 1) : [...value, ...value.slice(at, at + 1)];
  }
  return [undefined, null, other, NUMBERS[random(NUMBERS.length)], TEXTS[random(TEXTS.length)]][random(5)];
}
