// `npm run check-balancers`: built sandboxes behind HAProxy and nginx, with the configurations of docs/scaling/. Both must be
// installed, so it is no part of `npm test`. With `-- nodes`, only nodes that share a
// database are tried; with `-- nodes nginx`, they behind nginx alone.
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
