import { errorFinding, type Finding } from '../../base/refusal.ts';

interface Named {
  name: string;
  id?: string | undefined;
}

/** Only shipped scenarios and behaviours have ids. A user's version of one may keep its id. */
export function checkId({ name, id }: Named, shipped: ReadonlyMap<string, Named>): Finding[] {
  return id === undefined || shipped.get(name)?.id === id
    ? []
    : [errorFinding('$.id', 'none, because only shipped scenarios and behaviours have ids', JSON.stringify(id))];
}
