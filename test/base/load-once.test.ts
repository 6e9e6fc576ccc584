import { loadOnce } from '../../src/base/load-once.ts';

it('a loader loads once, and tries again after a failed load', async () => {
  const load = import.meta.jest.fn(async () => 'loaded').mockRejectedValueOnce(new Error('EMFILE'));
  const library = loadOnce(load);
  await expect(Promise.all([library(), library()])).rejects.toThrow('EMFILE');
  expect(load).toHaveBeenCalledTimes(1);
  expect(await Promise.all([library(), library()])).toEqual(['loaded', 'loaded']);
  expect(await library()).toBe('loaded');
  expect(load).toHaveBeenCalledTimes(2);
});
