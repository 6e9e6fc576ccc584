import type { EventType } from '../base/schema/generated/control.ts';
import type { ScenarioFixture } from '../base/schema/generated/fixtures.ts';
import type { ShippedBehaviour, ShippedScenario } from '../base/schema/generated/shipped.ts';

/** Any text, because users can define names. With this type, editors still suggest the known ones. */
type AnyName = string & Record<never, never>;

export type ScenarioName = ShippedScenario | AnyName;
export type BehaviourName = ShippedBehaviour | AnyName;
export type EventName = EventType | AnyName;

/** A scenario in the format of fixtures/scenarios. Rules may be plain objects, because literals in a variable lose their types. */
export type GivenScenario = Pick<ScenarioFixture, 'name' | 'description' | 'behaviour'> & {
  rules: ScenarioFixture['rules'] | readonly object[];
};

export type FilterValue = string | number | boolean;

/** Filters of a list, named as in the schema of its query. The case of values is ignored. */
export type Filters<Query> = { readonly [Name in keyof Query]?: Query[Name] | AnyName };
