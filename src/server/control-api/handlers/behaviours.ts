import type { BehaviourChoice, PageQuery } from '../../../base/schema/generated/control.ts';
import { requireBehaviour } from '../../domain/behaviours/behaviours.ts';
import { type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { type ListOrder, pageOf } from '../lists.ts';

const BY_NAME: ListOrder<{ name: string }> = { name: 'behaviours', keyOf: ({ name }) => name };

export const BEHAVIOUR_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PageQuery>({
    name: 'listBehaviours',
    summary: 'List the behaviours',
    description: 'The behaviours of the fixtures.',
    method: 'GET',
    path: '/behaviours',
    query: 'control/page-query',
    response: listOf('fixtures/behaviour'),
    handle: async ({ session, query }) => {
      const behaviours = [...session.fixtures.behaviours.values()];
      return pageOf(
        BY_NAME,
        behaviours.sort((one, other) => (one.name < other.name ? -1 : 1)),
        query,
      );
    },
  }),
  sessionRow({
    name: 'getBehaviour',
    summary: 'Get the behaviour of the session',
    description: 'How the provider behaves in this session, unless a scenario overrides it.',
    method: 'GET',
    path: '/behaviour',
    response: itemOf('fixtures/behaviour'),
    handle: async ({ session }) => session.read(async (reader) => requireBehaviour(reader.fixtures, reader.behaviour)),
  }),
  sessionRow<BehaviourChoice>({
    name: 'chooseBehaviour',
    summary: 'Choose the behaviour of the session',
    description:
      'Changes how the provider behaves from now on. Notifications that are already scheduled are sent as planned.',
    method: 'PUT',
    path: '/behaviour',
    request: 'control/behaviour-choice',
    response: itemOf('fixtures/behaviour'),
    handle: ({ session, body: { name } }) =>
      session.transact(async (transaction) => {
        const behaviour = requireBehaviour(transaction.fixtures, name);
        transaction.behaviour = name;
        return behaviour;
      }),
  }),
];
