import { MASK, redactSentence } from '../../base/masking/redact.ts';
import { isSecretName } from '../../base/masking/secret-names.ts';
import type { MerchantsFixture } from '../../base/schema/generated/fixtures.ts';
import { parseJsonText } from '../../base/written-file.ts';
import { FILES, type FixtureFile, readJsonIfExists, SHIPPED_FOLDER } from '../config/fixture-files.ts';

/** Replaces the secret of an endpoint, and is valid as one. */
const MASKED_SECRET = `whsec_${Buffer.from('masked').toString('base64')}`;
const MERCHANT_KEY = /^merchant(?:Api)?Key$/;
/** Records name each other by these members, so masking one would break the reference. */
const IDENTIFIER_NAME = /(?:^|[a-z])(?:id|ids|code|token|key)$/i;
const HTTP_URL = /^https?:\/\//i;
/** In a JSON Schema, these contain a schema for each member of the body, under its name. */
const SCHEMA_MEMBERS = /^(?:properties|patternProperties)$/;
const WORD = /[^\s"'`,;:(){}[\]<>&?\\]+/g;
/** Shorter keys are not looked for in texts, because they could be ordinary words or amounts. */
const MIN_KEY_LENGTH = 6;

export type MerchantKeys = Pick<MerchantsFixture['merchants'][number], 'merchantApiKey' | 'merchantKey'>;
type MaskText = (text: string, name: string) => string;

/** Masks the user's secrets in a session's data, in such a way that a session can still be created from it. */
export class RecordMasker {
  readonly #shippedKeys = readShippedKeys();
  /** Keys of merchants, which are masked within texts, too. */
  readonly #merchantKeys: ReadonlySet<string>;
  /** The original URLs by their masked form. */
  readonly #urls = new Map<string, string[]>();

  constructor(merchants: readonly MerchantKeys[] = []) {
    const keys = merchants.flatMap(keysOf);
    this.#merchantKeys = new Set(keys.filter((key) => key.length >= MIN_KEY_LENGTH && !this.#shippedKeys.has(key)));
  }

  /** Masks a call, in which secrets are already masked by name. */
  maskCall<Value>(call: Value): Value {
    return (this.#merchantKeys.size === 0 ? call : maskTexts(call, (text) => this.#maskKeys(text))) as Value;
  }

  mask<Value>(value: Value): Value {
    const maskText: MaskText = (text, name) => {
      const other = () => (isSecretName(name) ? MASK : this.#maskKeys(redactSentence(text)));
      return this.#maskUrlOrSecret(text, name) ?? (IDENTIFIER_NAME.test(name) ? text : other());
    };
    return maskTexts(value, maskText) as Value;
  }

  /** Does not mask card numbers, because those in a fixture are of test cards. */
  maskFixture({ file, content }: FixtureFile): FixtureFile {
    const masked = maskTexts(parseJsonText(content), (each, name) => this.#maskUrlOrSecret(each, name) ?? each);
    return { file, content: JSON.stringify(masked, null, 2) };
  }

  #maskUrlOrSecret(text: string, name: string): string | undefined {
    if (HTTP_URL.test(text)) {
      return this.#maskUrl(text);
    }
    if (MERCHANT_KEY.test(name)) {
      return this.#shippedKeys.has(text) ? text : MASK;
    }
    return name === 'secret' ? MASKED_SECRET : undefined;
  }

  #maskKeys(text: string): string {
    return text.replace(WORD, (word) => (this.#merchantKeys.has(word) ? MASK : word));
  }

  /** Different URLs stay different, because each has a separate queue. */
  #maskUrl(url: string): string {
    const masked = redactSentence(url);
    const equallyMasked = this.#urls.get(masked) ?? [];
    this.#urls.set(masked, equallyMasked);
    if (!equallyMasked.includes(url)) {
      equallyMasked.push(url);
    }
    const index = equallyMasked.indexOf(url);
    return index === 0 ? masked : `${masked}#${index + 1}`;
  }
}

function maskTexts(value: unknown, maskText: MaskText, name = '', owner = ''): unknown {
  if (typeof value === 'string') {
    return maskText(value, name);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (SCHEMA_MEMBERS.test(owner) && isSecretName(name)) {
    // A scenario may require a certain secret; the schema `true` accepts any value.
    return true;
  }
  if (Array.isArray(value)) {
    return value.map((each) => maskTexts(each, maskText, name, owner));
  }
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, maskTexts(each, maskText, member, name)]),
  );
}

/** The keys of the shipped fixtures are public. */
function readShippedKeys(): ReadonlySet<string> {
  const { merchants } = readJsonIfExists(`${SHIPPED_FOLDER}${FILES.merchants}`) as MerchantsFixture;
  return new Set(merchants.flatMap(keysOf));
}

function keysOf({ merchantApiKey, merchantKey }: MerchantKeys): string[] {
  return [merchantApiKey, merchantKey];
}
