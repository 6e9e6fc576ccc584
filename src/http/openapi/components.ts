import { membersOf } from '../../base/members.ts';
import { loadSchema } from '../../base/schema/load-schema.ts';
import { followReference } from '../../base/schema/references.ts';

type Json = Record<string, unknown>;

/** What operations refer to by name. Each is made when it is first asked for. */
export class Components {
  readonly #schemas = new Map<string, unknown>();
  readonly #responses = new Map<string, Json>();

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
      this.#schemas.set(component, schema);
      this.#schemas.set(component, this.written(schema, name));
    }
    return { $ref: `#/components/schemas/${component}` };
  }

  response(component: string, make: () => Json): Json {
    if (!this.#responses.has(component)) {
      this.#responses.set(component, make());
    }
    return { $ref: `#/components/responses/${component}` };
  }

  /** A schema as the document writes it; `from` is the file that it stands in. */
  written(value: unknown, from: string): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.written(item, from));
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    if ('$ref' in value && typeof value.$ref === 'string') {
      return this.#followed(value.$ref, value, from);
    }
    if ('x-file' in value) {
      return { type: 'string', format: 'binary', description: membersOf(value)['description'] };
    }
    const { 'x-lenient': _, ...schema } = membersOf(value);
    const members = Object.entries(schema).map(([key, member]) =>
      // Importers fill forms with the old keyword alone.
      key === 'examples' && Array.isArray(member) ? ['example', member[0]] : [key, this.written(member, from)],
    );
    return Object.fromEntries(isBareObject(schema) ? [...members, ['additionalProperties', true]] : members);
  }

  /** A reference to a schema file becomes one to its component; a reference into a file becomes what stands there. */
  #followed(reference: string, { $ref: _, ...others }: Json, from: string): Json {
    const { file, pointer, schema } = followReference(reference, from);
    const target = pointer === '' ? this.schema(file) : membersOf(this.written(schema, file));
    return { ...others, ...target };
  }
}

/** Client generators take an object whose members nobody names for an empty one, unless it says that it may have any. */
function isBareObject({ type, properties, additionalProperties }: Json): boolean {
  return type === 'object' && properties === undefined && additionalProperties === undefined;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
