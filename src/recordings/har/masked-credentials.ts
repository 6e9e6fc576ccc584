import { isMembers } from '../../base/members.ts';
import type { RecordedBody } from '../../base/schema/recordings.ts';
import { MASK } from '../../base/text/redact.ts';
import { membersIn } from '../body.ts';
import { shippedMerchants } from '../masks/public-values.ts';
import type { Exchange } from '../recording.ts';

const NAMES = ['merchantApiKey', 'merchantKey'] as const;

/** What stands for every access token, as the archive does not tell them apart. */
const TOKEN = `${MASK}00000000`;

/**
 * An archive of a sandbox has all credentials masked. This puts those of shipped merchants back, and makes it visible again that a token of
 * an answer is used in later calls, so that the calls can be sent again.
 */
export class MaskedCredentials {
  readonly #merchants = new Map(shippedMerchants().map((merchant) => [merchant.id, merchant]));
  /** Whether credentials of other merchants stay masked. */
  hasOthers = false;
  readonly #withTokens = new Set<string>();

  /** Whether tokens of several merchants are masked alike. */
  get hasMixedTokens(): boolean {
    return this.#withTokens.size > 1;
  }

  inExchange<Given extends Exchange>(exchange: Given): Given {
    const { headers, body, answer } = exchange;
    if (answer && membersIn(answer.body)['token'] === MASK) {
      this.#withTokens.add(String(membersIn(body)['merchantId']));
    }
    return {
      ...exchange,
      headers: headers.map(({ name, value }) =>
        name.toLowerCase() === 'authorization' && value === MASK ? { name, value: `Bearer ${TOKEN}` } : { name, value },
      ),
      body: this.#inBody(body),
      answer: answer && { ...answer, body: this.#inBody(answer.body) },
    };
  }

  #inBody(body: RecordedBody): RecordedBody {
    return body && 'json' in body ? { json: this.#inValue(body.json) } : body;
  }

  #inValue<Value>(value: Value): Value;
  #inValue(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((each) => this.#inValue(each));
    }
    if (!isMembers(value)) {
      return value;
    }
    const inside = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#inValue(each)]));
    const merchant = this.#merchants.get(String(value['merchantId']));
    for (const name of NAMES.filter((each) => value[each] === MASK)) {
      if (merchant) {
        inside[name] = merchant[name];
      } else {
        this.hasOthers = true;
      }
    }
    if (value['token'] === MASK) {
      inside['token'] = TOKEN;
    }
    return inside;
  }
}
