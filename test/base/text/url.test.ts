import { parseUrl } from '../../../src/base/text/url.ts';

it('reads an address with letters beyond ASCII, also when it has read many', () => {
  const hosts = Array.from({ length: 20_000 }, () => parseUrl('http://bücher.test/paid')?.host);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.test']));
});

it.each(['', 'nothing', '/paid', 'http://', 'http://a b/'])('has nothing for %j', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
