const RECALL = /\$recall\((\w+)\)/g;
const LEARNED_MEMBER = /"(\w*(?:[tT]oken|[cC]ode|paymentId|Reference))":"([\w.-]{1,1000})"/g;
const FORM_TOKEN = /name="formToken" value="([\w-]+)"/;

/** Longer answers are documents and whole states, whose ids are also in shorter ones. */
const MAX_READ = 20_000;

/** Ids in earlier answers, for use in later requests: `$recall(name)` is replaced with the last value of a name. */
export class Memory {
  readonly #values = new Map<string, string>();

  learn(answer: string): void {
    if (answer.length > MAX_READ) {
      return;
    }
    for (const [, name = '', value = ''] of answer.matchAll(LEARNED_MEMBER)) {
      this.#values.set(name, value);
    }
    const [, formToken] = FORM_TOKEN.exec(answer) ?? [];
    if (formToken !== undefined) {
      this.#values.set('formToken', formToken);
    }
  }

  recall(text: string): string {
    return text.includes('$recall(')
      ? text.replace(RECALL, (_all, name: string) => this.#values.get(name) ?? 'nothing')
      : text;
  }
}
