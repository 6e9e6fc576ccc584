import TestSequencer from '@jest/test-sequencer';

/** Folders and files of tests that take long for their size. */
const LONG = ['postgres/nodes', 'crash', 'examples', 'browser', 'simulation', '.long.test', 'postgres/store/contract'];

/** Runs the longest first, so that none is left alone at the end. Jest knows those that it has run before; of others it goes by the size. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((name) => path.includes(name.startsWith('.') ? name : `/test/${name}`));
    return [...super.sort(tests.filter(isLong)), ...super.sort(tests.filter((test) => !isLong(test)))];
  }
}
