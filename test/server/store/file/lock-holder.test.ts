import { locateHolder, thisProcess } from '../../../../src/server/store/file/lock-holder.ts';

describe('the owner of a lock', () => {
  const own = thisProcess('a-token');

  it('is dead if no process has its id', () => {
    expect(locateHolder({ ...own, pid: 2 ** 30 })).toBe('dead');
  });

  it('may be another process if the system does not tell when it started, as on macOS and Windows', () => {
    expect(locateHolder({ ...own, started: '' })).toBe('unsure');
  });

  it('is not visible if it runs on another machine', () => {
    expect(locateHolder({ ...own, place: 'elsewhere' })).toBe('elsewhere');
  });
});
