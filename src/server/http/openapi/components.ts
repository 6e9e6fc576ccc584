import { isNameIn, membersOf } from '../../../base/members.ts';
import { loadSchema } from '../../../base/schema/load-schema.ts';
import { followReference } from '../../../base/schema/references.ts';
import { withPublicFormat } from './formats.ts';

type Json = Record<string, unknown>;

/** Names from the fixtures that the document lists as enums. */
export interface NamesInUse {
  wallet: readonly string[];
  /** Wallet names of channels that need the payer's mobile number. */
  'mobile-wallet': readonly string[];
  'webhook-type': readonly string[];
}

/** The schemas and responses that operations refer to by name. Each is created on first use. */
export class Components {
  readonly #schemas = new Map<string, unknown>();
  readonly #responses = new Map<string, Json>();
  readonly #names: NamesInUse;

  constructor(names: NamesInUse) {
    this.#names = names;
  }

  get schemas(): Json {
    return Object.fromEntries([...this.#schemas].sort(byName));
  }

  get responses(): Json {
    return Object.fromEntries([...this.#responses].sort(byName));
  }

  /** A reference to the schema of that name below schemas/. */
  schema(name: string): Json {
    const { $schema: _, $id: __, $defs: ___, ...schema } = loadSchema(name);
    const component = String(schema['title']);
    if (!this.#schemas.has(component)) {
      this.#schemas.set(component, this.convert(schema, name));
    }
    return { $ref: `#/components/schemas/${component}` };
  }

  response(component: string, make: () => Json): Json {
    if (!this.#responses.has(component)) {
      this.#responses.set(component, make());
    }
    return { $ref: `#/components/responses/${component}` };
  }

  /** Converts a schema to the form of the document; `from` is the file that contains it. */
  convert(value: unknown, from: string): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.convert(item, from));
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    if ('$ref' in value && typeof value.$ref === 'string') {
      return this.#resolve(value.$ref, value, from);
    }
    if ('x-file' in value) {
      return { type: 'string', format: 'binary', description: membersOf(value)['description'] };
    }
    const { 'x-lenient': _, 'x-names': names, ...own } = withPublicFormat(membersOf(value));
    const schema = { ...withoutIndex(withChoice(own)), ...this.#enumeration(names), ...this.#mobileCondition(own) };
    const members = Object.entries(schema).map(([key, member]) =>
      // API clients prefill forms only from the old keyword `example`.
      key === 'examples' && Array.isArray(member) ? ['example', member[0]] : [key, this.convert(member, from)],
    );
    return Object.fromEntries(isBareObject(schema) ? [...members, ['additionalProperties', true]] : members);
  }

  #enumeration(kind: unknown): Json {
    return isNameIn(this.#names, String(kind)) ? { enum: this.#names[kind as keyof NamesInUse] } : {};
  }

  /** Some channels need the payer's mobile number, and the others refuse it. Generators ignore this, validators do not. */
  #mobileCondition({ properties }: Json): Json {
    const { walletName, payerMobile } = membersOf(properties);
    if (membersOf(walletName)['x-names'] === undefined || payerMobile === undefined) {
      return {};
    }
    const withMobile = { properties: { walletName: { enum: this.#names['mobile-wallet'] } } };
    // Linters reject `required` where the member has no schema, and older validators do not know `dependentRequired`.
    const withoutIt = { propertyNames: { not: { const: 'payerMobile' } } };
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema; the object is never awaited
    return { if: withMobile, then: { not: withoutIt }, else: withoutIt };
  }

  /** A reference to a schema file becomes one to its component; a reference into a file is replaced by its target. */
  #resolve(reference: string, { $ref: _, ...others }: Json, from: string): Json {
    const { file, pointer, schema } = followReference(reference, from);
    const target = pointer === '' ? this.schema(file) : membersOf(this.convert(schema, file));
    return { ...others, ...target };
  }
}

/** Replaces the condition for "one item or a list of items" by `oneOf`, because tools ignore conditions. */
function withChoice(schema: Json): Json {
  const { type: _, if: condition, then: list, else: single, items: __, ...others } = schema;
  const isChoice = membersOf(condition)['type'] === 'array' && single !== undefined;
  return isChoice ? { ...others, oneOf: [single, { type: 'array', ...membersOf(list) }] } : schema;
}

/** Generated types cannot have optional members besides an index signature of another type, so only the named members are kept. */
function withoutIndex(schema: Json): Json {
  const { additionalProperties, ...others } = schema;
  const isIndex = typeof additionalProperties === 'object' && others['properties'] !== undefined;
  return isIndex ? others : schema;
}

/** Client generators treat an object without named members as empty, unless it explicitly allows any. */
function isBareObject({ type, properties, additionalProperties }: Json): boolean {
  return type === 'object' && properties === undefined && additionalProperties === undefined;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
