import TestSequencer from '@jest/test-sequencer';

/** Folders and files of tests that take long for their size. */
const LONG = ['postgres/nodes', 'crash', 'examples', 'browser', 'simulation', '.long.test', 'postgres/store/contract'];

/** Runs the longest files first, so that no long one runs alone at the end. Jest sorts by earlier durations, otherwise by size. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((name) => path.includes(name.startsWith('.') ? name : `/test/${name}`));
    return [...super.sort(tests.filter(isLong)), ...super.sort(tests.filter((test) => !isLong(test)))];
  }
}
