import { errorFinding, type Finding } from '../../base/refusal.ts';

interface Named {
  name: string;
  id?: string | undefined;
}

/** Ids say which shipped scenario or behaviour it is, wherever they stand: one of another name cannot bear them. */
export function checkId({ name, id }: Named, shipped: ReadonlyMap<string, Named>): Finding[] {
  return id === undefined || shipped.get(name)?.id === id
    ? []
    : [errorFinding('$.id', 'none, as ids are those of shipped ones', JSON.stringify(id))];
}
