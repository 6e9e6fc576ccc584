import { createOwner, locateOwner } from '../../../../src/server/store/file/lock-owner.ts';

describe('the owner of a lock', () => {
  const owner = createOwner('a-token');

  it('is dead if no process has its id', () => {
    expect(locateOwner({ ...owner, pid: 2 ** 30 })).toBe('dead');
  });

  it('may be another process if the system does not report when it started, as on macOS and Windows', () => {
    expect(locateOwner({ ...owner, started: '' })).toBe('unsure');
  });

  it('is not visible if it runs on another machine', () => {
    expect(locateOwner({ ...owner, place: 'elsewhere' })).toBe('elsewhere');
  });
});
