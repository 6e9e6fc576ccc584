// The names and types of the members that JSON Schemas describe, as text that is short enough for a reviewer to see what a change breaks.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Keywords that combine schemas, and the words that join their shapes. */
const COMBINED = { oneOf: ' or ', anyOf: ' or ', allOf: ' and ' };
const DEFINITION = /^\/\$defs\//;

/**
 * One paragraph for each schema of some folders, and for each schema that one of them contains: its path, then a line for each member.
 *
 * @param {readonly string[]} folders below schemas/
 */
export function shapesOfSchemas(folders) {
  const queue = folders.flatMap((folder) => readdirSync(`schemas/${folder}`).map((name) => `${folder}/${name}`));
  const shapes = new Map();
  // The loop adds files to the list.
  for (const file of queue) {
    const text = shapeOfSchema(file);
    shapes.set(file, text);
    for (const [, path = ''] of text.matchAll(/@([\w/-]+)/g)) {
      if (!queue.includes(`${path}.json`)) {
        queue.push(`${path}.json`);
      }
    }
  }
  return [...shapes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
}

/**
 * @param {string} file below schemas/
 * @param {(file: string) => object} [read]
 */
export function shapeOfSchema(file, read = readSchema) {
  const at = { file, read };
  const { properties, $defs = {}, ...others } = read(file);
  const shape = shapeOf(properties ? { ...others, additionalProperties: undefined, type: undefined } : others, at);
  const lines = [
    `${nameOf(file)}${shape === '' ? '' : ` ${shape}`}`,
    ...membersOf({ ...others, properties }, at),
    ...Object.entries($defs).map(([name, schema]) => `#${name}: ${shapeOf(schema, at) || 'string'}`),
  ];
  return lines.join('\n  ');
}

/** A member without a type is a text; a member with ? is optional. */
function membersOf({ properties = {}, additionalProperties, required = [] }, at) {
  const members = Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .map(([name, schema]) => {
      const shape = shapeOf(schema, at);
      return `${name}${required.includes(name) ? '' : '?'}${shape === '' ? '' : `: ${shape}`}`;
    });
  const others =
    typeof additionalProperties === 'object' ? [`*: ${shapeOf(additionalProperties, at) || 'string'}`] : [];
  return [...members, ...others];
}

function shapeOf(schema, at) {
  const combined = Object.entries(COMBINED).map(([keyword, joint]) => {
    const shapes = (schema[keyword] ?? []).map((each) => shapeOf(each, at) || 'string');
    return [...new Set(shapes)].join(joint);
  });
  return [simpleShapeOf(schema, at), ...combined].filter((part) => part !== '' && part !== 'string').join(' and ');
}

function simpleShapeOf(schema, at) {
  const { $ref, enum: values, const: value, type, items } = schema;
  if ($ref !== undefined) {
    return shapeOfReference($ref, at);
  }
  if (values !== undefined || value !== undefined) {
    return (values ?? [value]).map(String).join('|');
  }
  if (items !== undefined) {
    return `[${shapeOf(items, at) || 'string'}]`;
  }
  const members = membersOf(schema, at);
  return members.length > 0 ? `{ ${members.join(', ')} }` : type === 'string' ? '' : [type ?? ''].flat().join('|');
}

/** Whole schemas and definitions are shown by their names; other references are resolved, because their targets have no name. */
function shapeOfReference(reference, { file, read }) {
  const [path = '', place = ''] = reference.split('#');
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  if (place === '' || DEFINITION.test(place)) {
    const name = path === '' ? '' : `@${nameOf(target)}`;
    return `${name}${place === '' ? '' : place.replace(DEFINITION, '#')}`;
  }
  const steps = place.split('/').slice(1);
  const definition = steps.reduce((schema, step) => schema?.[step], read(target));
  if (definition === undefined) {
    throw new Error(`${file} refers to ${reference}, which does not exist`);
  }
  return shapeOf(definition, { file: target, read });
}

function nameOf(file) {
  return file.replace(/\.json$/, '');
}

function readSchema(file) {
  return JSON.parse(readFileSync(`schemas/${file}`, 'utf8'));
}
