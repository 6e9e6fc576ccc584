import { exportedTypes } from '../../scripts/surface/exported-types.mjs';
import { shapeOfSchema, shapesOfSchemas } from '../../scripts/surface/schema-shapes.mjs';

describe('the shape of a schema', () => {
  const schemas: Record<string, object> = {
    'control/order.json': {
      type: 'object',
      properties: {
        $schema: { type: 'string' },
        id: { type: 'string' },
        state: { enum: ['Paid', 'Failed'] },
        lines: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
        at: { $ref: '../records/moment.json#/properties/at' },
        fees: { type: 'object', additionalProperties: { type: 'number' } },
        reason: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/reason' }] },
        move: { $ref: '../records/move.json' },
      },
      required: ['id', 'state'],
      additionalProperties: false,
      $defs: { reason: { type: 'string' } },
    },
    'records/moment.json': { properties: { at: { type: ['integer', 'null'] } } },
  };
  const read = (file: string) => schemas[file] ?? {};

  it('has a line for each member and definition, with its type and whether it is optional', () => {
    expect(shapeOfSchema('control/order.json', read).split('\n  ')).toEqual([
      'control/order',
      'id',
      'state: Paid|Failed',
      'lines?: [{ count?: integer }]',
      'at?: integer|null',
      'fees?: { *: number }',
      'reason?: null or #reason',
      'move?: @records/move',
      '#reason: string',
    ]);
  });

  it('is an error if the schema refers to a place that does not exist', () => {
    schemas['records/moment.json'] = {};
    expect(() => shapeOfSchema('control/order.json', read)).toThrow('records/moment.json#/properties/at');
  });

  it('is shown also for the schemas that it contains', () => {
    const names = shapesOfSchemas(['fixtures']).map((text) => text.split(/[ \n]/)[0]);
    expect(names).toEqual(expect.arrayContaining(['fixtures/behaviour', 'records/notification-rules']));
  });
});

describe('exported types', () => {
  const types = exportedTypes({ 'merchant-sandbox': 'src/index.ts', other: 'src/client/control-error.ts' });
  const typeNamed = (name: string) => types.find((text) => text.includes(` ${name} `)) ?? '';

  it('have their public members, also inherited ones, without comments and bodies', () => {
    const client = typeNamed('SandboxClient');
    expect(client).toContain('\n  advance(by: string): Promise<ShownClock>;\n');
    expect(client).toContain('\n  replayFailed(): ');
    expect(client).not.toMatch(/#|\/\*|return /);
  });

  it('refer to the schema that they are generated from', () => {
    expect(types).toContain('type Notification: responses NotificationResponse');
  });

  it('are shown once', () => {
    expect(types.slice(types.indexOf("import from 'other'"))).toEqual([
      "import from 'other'",
      'class ControlError, as above',
    ]);
  });
});
