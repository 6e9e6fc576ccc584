import type { EventType } from '../base/schema/generated/control.ts';
import type { ScenarioFixture } from '../base/schema/generated/fixtures.ts';
import type { ShippedBehaviour, ShippedScenario } from '../base/schema/generated/shipped.ts';

/** Any text: editors complete the known names beside it, and users define their own. */
type OwnName = string & Record<never, never>;

export type ScenarioName = ShippedScenario | OwnName;
export type BehaviourName = ShippedBehaviour | OwnName;
export type EventName = EventType | OwnName;

/** A scenario in the format of fixtures/scenarios. The sandbox checks rules that the compiler cannot, such as ones from a variable. */
export type GivenScenario = Pick<ScenarioFixture, 'name' | 'description' | 'behaviour'> & {
  rules: ScenarioFixture['rules'] | readonly object[];
};

export type FilterValue = string | number | boolean;

/** Filters of a list by the schema of its query. Words are accepted in any case. */
export type Filters<Query> = { readonly [Name in keyof Query]?: Query[Name] | OwnName };
