import { locateHolder, thisProcess } from '../../../../src/server/store/file/lock-owner.ts';

describe('the owner of a lock', () => {
  const holder = thisProcess('a-token');

  it('is dead if no process has its id', () => {
    expect(locateHolder({ ...holder, pid: 2 ** 30 })).toBe('dead');
  });

  it('may be another process if the system does not report when it started, as on macOS and Windows', () => {
    expect(locateHolder({ ...holder, started: '' })).toBe('unsure');
  });

  it('is not visible if it runs on another machine', () => {
    expect(locateHolder({ ...holder, place: 'elsewhere' })).toBe('elsewhere');
  });
});
