import type { Schema } from './fetch-reference.ts';
import { InlineText } from './prose.tsx';

/** The fields of a schema; nested fields open below their field. */
export function Fields({ schema }: { schema: Schema }) {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) {
    return (
      <>
        <p class="quiet">One of these:</p>
        {variants.map((variant, index) => (
          <details key={index} class="variant" open={index === 0}>
            <summary>{variant.title ?? typeOf(variant)}</summary>
            <Fields schema={variant} />
          </details>
        ))}
      </>
    );
  }
  if (schema.items !== undefined) {
    return (
      <>
        <p class="quiet">A list. Each entry has:</p>
        <Fields schema={schema.items} />
      </>
    );
  }
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties);
  return fields.length === 0 ? (
    <p class="quiet">
      {typeOf(schema)}
      {schema.description === undefined ? '' : ': '}
      <InlineText text={schema.description ?? ''} />
    </p>
  ) : (
    <ul class="fields">
      {fields.map(([name, field]) => (
        <Field key={name} name={name} schema={field} isRequired={required.includes(name)} />
      ))}
    </ul>
  );
}

interface FieldProps {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
}

export function Field({ name, schema, isRequired, description = schema.description }: FieldProps) {
  const inner = innerOf(schema);
  return (
    <li class="field-of">
      <p class="field-head">
        <code class="field-name">{name}</code> <span class="quiet">{typeOf(schema)}</span>
        {isRequired ? <span class="required">required</span> : null}
      </p>
      {description === undefined ? null : (
        <p>
          <InlineText text={toSentence(description)} />
        </p>
      )}
      <Constraints schema={schema} />
      {inner === undefined ? null : (
        <details>
          <summary>
            Fields of <code>{name}</code>
          </summary>
          <Fields schema={inner} />
        </details>
      )}
    </li>
  );
}

function Constraints({ schema }: { schema: Schema }) {
  const words = (schema.enum ?? schema.items?.enum ?? []).filter((word) => word !== null);
  const constraints = constraintsOf(schema);
  return (
    <>
      {words.length === 0 ? null : (
        <p class="quiet">
          One of{' '}
          {words.map((word, index) => (
            <>
              {index === 0 ? '' : ', '}
              <code>{String(word)}</code>
            </>
          ))}
        </p>
      )}
      {constraints.length === 0 ? null : (
        <p class="quiet">
          <InlineText text={toSentence(constraints.join(', '))} />
        </p>
      )}
    </>
  );
}

function constraintsOf({ pattern, minLength, maxLength, minimum, maximum, minItems, maxItems }: Schema): string[] {
  return [
    pattern === undefined ? undefined : `matches \`${pattern}\``,
    rangeOf(minLength, maxLength, 'characters'),
    rangeOf(minimum, maximum, ''),
    rangeOf(minItems, maxItems, 'entries'),
  ].filter((constraint) => constraint !== undefined);
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) {
    return undefined;
  }
  if (least === 1 && most === undefined && unit !== '') {
    return 'not empty';
  }
  const range =
    most === undefined ? `at least ${least}` : least === undefined ? `at most ${most}` : `${least} to ${most}`;
  return `${range} ${unit}`.trimEnd();
}

/** The schema that has the nested fields: that of the value, or of each entry of a list or map; undefined if there are none. */
function innerOf(schema: Schema): Schema | undefined {
  if (schema.items !== undefined) {
    return innerOf(schema.items);
  }
  const values = schema.additionalProperties;
  const inner = schema.properties === undefined && typeof values === 'object' ? values : schema;
  return inner.properties !== undefined || inner.oneOf !== undefined || inner.anyOf !== undefined ? inner : undefined;
}

function typeOf({ type, format, const: constant, enum: words, items, oneOf, anyOf }: Schema): string {
  if (constant !== undefined) {
    return JSON.stringify(constant);
  }
  if (items !== undefined) {
    return `list of ${typeOf(items)}`;
  }
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (types.length > 0) {
    return `${types.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
  }
  if (words !== undefined) {
    return [...new Set(words.map((word) => (word === null ? 'null' : typeof word)))].join(' or ');
  }
  const variants = oneOf ?? anyOf;
  return variants === undefined ? 'any' : [...new Set(variants.map(typeOf))].join(' or ');
}

function toSentence(text: string): string {
  // A text that begins with a name, such as payerReference, keeps its first letter.
  const capitalized = /^[a-z]+[A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?:`]$/.test(capitalized) ? capitalized : `${capitalized}.`;
}
