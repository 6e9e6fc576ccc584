import fc from 'fast-check';
import { Masks } from '../../src/recordings/masks.ts';
import { cases } from '../cases.ts';
import { callAt } from './exchanges.ts';

const AT = '2026-03-01T10:00:00.000Z';

function mask(text: string): string {
  const { body } = new Masks().maskExchange(callAt(AT, { body: { text } }));
  return body && 'text' in body ? body.text : '';
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&#62;', '"': '&#x22;' })[character] ?? '');

describe('XML and HTML', () => {
  test.each<[string, string, RegExp]>([
    [
      'an attribute (but not those after it)',
      '<pay token="abc" currency="USD"><status code="4">Paid</status></pay>',
      /^<pay token="\*{3}[\da-f]{8}" currency="USD"><status code="4">Paid<\/status><\/pay>$/,
    ],
    [
      'an attribute in single quotes, and one without quotes',
      "<a:pay  payerMobile = '0771234567' pin=1234 amount='1.00'/><x/>",
      /^<a:pay {2}payerMobile = '0\d{9}' pin=\*{3}[\da-f]{8} amount='1\.00'\/><x\/>$/,
    ],
    [
      'a form field whose name is in an attribute',
      '<input type="hidden" name="paymentToken" value="abc"><input name="x" value="1"><b>end</b>',
      /^<input type="hidden" name="paymentToken" value="\*{3}[\da-f]{8}"><input name="x" value="1"><b>end<\/b>$/,
    ],
    [
      'an element whose name is in an attribute',
      '<field name="payerName">Ann Moyer</field><field name="state">Paid</field>',
      /^<field name="payerName">\*{3}[\da-f]{8}<\/field><field name="state">Paid<\/field>$/,
    ],
    [
      'personal values in nested elements',
      '<payer>\n  <name>Ann Moyer</name>\n  <kind>new</kind></payer><address><line>1 Main</line><br/></address><a>b</a>',
      /^<payer>\n {2}<name>\*{3}[\da-f]{8}<\/name>\n {2}<kind>new<\/kind><\/payer><address><line>\*{3}[\da-f]{8}<\/line><br\/><\/address><a>b<\/a>$/,
    ],
    [
      'a secret in a script',
      '<html><script>if (1 < 2) { send({"token":"a<b","x":1}); f("y"); }</script><p class="card">Paid</p></html>',
      /^<html><script>if \(1 < 2\) \{ send\(\{"token":"\*{3}[\da-f]{8}","x":1\}\); f\("y"\); \}<\/script><p class="card">Paid<\/p><\/html>$/,
    ],
    [
      'a secret in a comment and in a CDATA section',
      '<!DOCTYPE a><a><!-- token: abc --><![CDATA[{"token":"abc","z":2}]]>&nbsp;</a>',
      /^<!DOCTYPE a><a><!-- token: \*{3}[\da-f]{8}\s*--><!\[CDATA\[\{"token":"\*{3}[\da-f]{8}","z":2\}\]\]>&nbsp;<\/a>$/,
    ],
    [
      "a payer's name with escaped characters",
      '<payerName>O&apos;Ann &amp; Bob</payerName><b title="by O&#39;Ann &#x26; Bob">x</b>',
      /^<payerName>\*{3}[\da-f]{8}<\/payerName><b title="by \*{3}[\da-f]{8}">x<\/b>$/,
    ],
  ])('have %s replaced', (_, text, expected) => {
    expect(mask(text)).toMatch(expected);
  });

  it('are masked too much rather than too little if they are malformed', () => {
    // The stand-in cannot contain these values by chance, because its only letters are a to f.
    const text = mask('<pay token="token-xyz" payerName="Zoe Moyer"><a <b>Paid</b>');
    expect(text).toMatch(/^<pay token="\*{3}/);
    expect(text).not.toMatch(/xyz|Zoe|Moyer/);
  });

  it('lose only their secret and personal values', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aé&<>"\'=:;/ x1{}[]\n') });
    const innocent = fc.record({ name: fc.constantFrom('a', 'state', 'n:code', 'class'), text });
    const sensitive = fc.record({
      name: fc.constantFrom('token', 'payerName', 'x:pin'),
      text: fc.stringMatching(/^[QWZ]{16}[&<"' ][QWZ]{16}$/),
    });
    const attributes = fc.array(fc.oneof(innocent, sensitive), { maxLength: 4 });
    const documents = fc.letrec<{ element: string }>((tie) => ({
      element: fc
        .tuple(
          fc.constantFrom('p', 'div', 'n:pay'),
          attributes,
          fc.array(fc.oneof({ depthSize: 'small' }, leaf(), tie('element'))),
        )
        .map(([name, list, children]) => {
          const spelled = list.map((each) => ` ${each.name}="${escaped(each.text)}"`).join('');
          return `<${name}${spelled}>${children.join('')}</${name}>`;
        }),
    })).element;
    function leaf() {
      return fc.oneof(innocent, sensitive).map((each) => `<${each.name}>${escaped(each.text)}</${each.name}>`);
    }
    const SENSITIVE = /(<(?:x:)?(?:token|payerName|pin)>|\s(?:x:)?(?:token|payerName|pin)=")[^<"]*/g;
    fc.assert(
      fc.property(documents, (document) => {
        const copy = mask(document);
        expect(copy).not.toMatch(/[QWZ]{16}/);
        expect(copy.replace(SENSITIVE, '$1')).toBe(document.replace(SENSITIVE, '$1'));
      }),
      { numRuns: cases(100) },
    );
  });
});
