import { isMembers } from '../../base/members.ts';

/** What a workflow asks of whoever runs it, by the members of requests that hold it. */
export const INPUTS: Readonly<Record<string, { description: string; default: string }>> = {
  merchantId: { description: 'the merchant', default: 'M-1000' },
  merchantApiKey: { description: "the merchant's API key", default: 'test-api-key-1000' },
  merchantKey: { description: "the merchant's key", default: 'test-merchant-key-1000' },
  payerReference: { description: "the merchant's own reference, unused so far", default: 'ORDER-1001' },
};

/** A value in an answer that could come back in a later request: an id or a token, not a word. */
const CARRIED = /^(?=.*\d).{6,}$/;

interface Carried {
  outputs: Record<string, string>;
  stepId: string;
  name: string;
  pointer: string;
}

/** Values that the steps of a workflow take from its inputs or from what earlier steps were answered, as runtime expressions. */
export class WorkflowValues {
  readonly #inputs = new Map(Object.entries(INPUTS).map(([name, input]) => [input.default, name]));
  readonly #carried = new Map<string, Carried>();
  #token: string | undefined;

  /** The runtime expression for a value, where there is one. Whatever it refers to is added to the outputs of its step. */
  expressionFor(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.expressionFor(item));
    }
    if (isMembers(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.expressionFor(member)]));
    }
    if (typeof value !== 'string') {
      return value;
    }
    const input = this.#inputs.get(value);
    return input === undefined ? (this.#output(value) ?? value) : `$inputs.${input}`;
  }

  /** The header of a call that needs a token; undefined where no step before was answered one. */
  authorization(): string | undefined {
    const token = this.#token === undefined ? undefined : this.#output(this.#token);
    return token === undefined ? undefined : `Bearer {${token}}`;
  }

  /** Takes what a step was answered. `outputs` are those of the step. */
  take(answer: unknown, stepId: string, outputs: Record<string, string>): void {
    for (const { name, pointer, value } of textsIn(answer)) {
      const known = this.#carried.get(value);
      const isToken = name === 'token';
      // An id is taken from where it first came, a token from where it came last.
      if (CARRIED.test(value) && !this.#inputs.has(value) && (!known || (isToken && known.stepId !== stepId))) {
        this.#carried.set(value, { outputs, stepId, name, pointer });
      }
      this.#token = isToken ? value : this.#token;
    }
  }

  #output(value: string): string | undefined {
    const carried = this.#carried.get(value);
    if (!carried) {
      return undefined;
    }
    const { outputs, stepId, name, pointer } = carried;
    outputs[name] = `$response.body#${pointer}`;
    return `$steps.${stepId}.outputs.${name}`;
  }
}

/** The texts in an answer, each with its member's name and where it stands, what is less deep first. */
export function textsIn(answer: unknown): { name: string; pointer: string; value: string }[] {
  const found: { name: string; pointer: string; value: string }[] = [];
  const queue = [{ name: '', pointer: '', value: answer }];
  for (const { name, pointer, value } of queue) {
    if (typeof value === 'string') {
      found.push({ name, pointer, value });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        queue.push({ name: Array.isArray(value) ? name : key, pointer: `${pointer}/${key}`, value: member });
      }
    }
  }
  return found;
}
