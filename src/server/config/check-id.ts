import { errorFinding, type Finding } from '../../base/refusal.ts';

interface Named {
  name: string;
  id?: string | undefined;
}

/** Ids identify shipped scenarios and behaviours in reports, so one with another name cannot have an id. */
export function checkId({ name, id }: Named, shipped: ReadonlyMap<string, Named>): Finding[] {
  return id === undefined || shipped.get(name)?.id === id
    ? []
    : [errorFinding('$.id', 'none, because only shipped scenarios and behaviours have ids', JSON.stringify(id))];
}
