// `npm run check-balancers`: built sandboxes behind HAProxy and nginx, with the configurations of docs/scaling/. Both must be
// installed, so it is not part of `npm test`. `-- nodes` checks only nodes that share a database, and `-- nodes nginx` only these
// behind nginx.
import { checkNodes } from './balancers/nodes.mjs';
import { endAll } from './balancers/programs.mjs';
import { checkShards } from './balancers/shards.mjs';

const CHECKS = { shards: checkShards, nodes: checkNodes };

const [, , name, only] = process.argv;
try {
  for (const check of name === undefined ? Object.values(CHECKS) : [CHECKS[name]]) {
    await check(only);
  }
} finally {
  await endAll();
}
