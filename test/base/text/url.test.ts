import { appendQuery, parseUrl } from '../../../src/base/text/url.ts';

it('an address with letters beyond ASCII is parsed, even after thousands of others', () => {
  const hosts = Array.from({ length: 20_000 }, () => parseUrl('http://bücher.test/paid')?.host);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.test']));
});

it.each(['', 'nothing', '/paid', 'http://', 'http://a b/'])('%j is not parsed as an address', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

describe('parameters that are appended to an address', () => {
  it.each([
    ['https://shop.test/ok', 'https://shop.test/ok?'],
    ['https://shop.test', 'https://shop.test?'],
    ['https://shop.test/ok?next=a%20b&sig=x~y&flag&list[]=1', 'https://shop.test/ok?next=a%20b&sig=x~y&flag&list[]=1&'],
    ["https://shop.test/ok?a=b+c&%E9=%e9&q=it's", "https://shop.test/ok?a=b+c&%E9=%e9&q=it's&"],
    ['https://shop.test/ok?reference=own&status=own', 'https://shop.test/ok?reference=own&status=own&'],
    ['https://shop.test/ok?', 'https://shop.test/ok?'],
    ['https://shop.test/ok?a=1&', 'https://shop.test/ok?a=1&'],
    ['https://Shop.test:443/a/../b', 'https://Shop.test:443/a/../b?'],
    ['https://shop.test/ok?u=http://x/?y', 'https://shop.test/ok?u=http://x/?y&'],
    ['https://user:p%40ss@shop.test/ok', 'https://user:p%40ss@shop.test/ok?'],
    ['http://[::1]:3000/ok', 'http://[::1]:3000/ok?'],
    [' https://shop.test/a b\r\nX: 1é ', 'https://shop.test/a%20bX:%201%C3%A9?'],
    ['https://u:p@bücher.test/ä?ö', 'https://u:p@xn--bcher-kva.test/%C3%A4?%C3%B6&'],
    ['https://bücher.test/ok?', 'https://xn--bcher-kva.test/ok?'],
    ['https:\\\\shop.test\\ok', 'https://shop.test/ok?'],
  ])('are added at the end of the query of %s', (address, start) => {
    const parameters = { reference: 'Café 1&2', status: 'Paid' };
    const added = 'reference=Caf%C3%A9%201%262&status=Paid';
    expect(appendQuery(address, parameters)).toBe(start + added);
    expect(appendQuery(`${address.trimEnd()}#part?a=1#b`, parameters)).toBe(`${start}${added}#part?a=1#b`);
  });

  it.each(['', 'shop.test/ok', 'javascript:alert(1)', 'ftp://shop.test/', 'http://'])(
    'are not appended to %j',
    (address) => {
      expect(appendQuery(address, { a: '1' })).toBeUndefined();
    },
  );
});
