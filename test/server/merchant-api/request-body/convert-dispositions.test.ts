import fc from 'fast-check';
import { convertDispositions } from '../../../../src/server/merchant-api/request-body/convert-dispositions.ts';
import { cases } from '../../../cases.ts';

const head = (disposition: string) =>
  `\r\nContent-Type: text/plain\r\nContent-Disposition: ${disposition}; name="a"\r\n\r\n`;
const convert = (text: string) => {
  const { bytes, count } = convertDispositions(Buffer.from(text, 'latin1'), 'b');
  return [bytes.toString('latin1'), count];
};

describe('parts that are marked as attachments', () => {
  it('are converted only in their heads', () => {
    const content = fc.string({
      unit: fc.constantFrom('\r\n', '\r', '--b', '--', 'b', '\xff', 'Content-Disposition: attachment', ': '),
    });
    fc.assert(
      fc.property(
        fc.array(
          content.filter((text) => !text.includes('\r\n--b')),
          { minLength: 1 },
        ),
        (contents) => {
          const body = (disposition: string) =>
            `--b${contents.map((text) => `${head(disposition)}x${text}`).join('\r\n--b')}\r\n--b--`;
          expect(convert(body('attachment'))).toEqual([body('form-data'), contents.length]);
          expect(convert(body('form-data'))).toEqual([body('form-data'), 0]);
        },
      ),
      { numRuns: cases(100) },
    );
  });

  it.each([
    ['after the end of the form', `--b--\r\n--b${head('attachment')}`],
    [
      'after a line that only begins like a delimiter',
      `--b${head('form-data')}x\r\n--bc${head('attachment')}x\r\n--b--`,
    ],
    ['in a head that never ends', '--b\r\nContent-Disposition: attachment'],
    [
      'in a head without an end before the next part',
      `--b\r\nContent-Disposition: attachment\r\nx\r\n--b${head('form-data')}`,
    ],
    ['inside another word', `--b${head('attachments')}x\r\n--b--`],
    ['without any delimiter', head('attachment')],
  ])('are not changed %s', (_title, text) => {
    expect(convert(text)).toEqual([text, 0]);
  });

  it('are found after a preamble', () => {
    expect(convert(`hello\r\n--b${head('attachment')}x\r\n--b--`)).toEqual([
      `hello\r\n--b${head('form-data')}x\r\n--b--`,
      1,
    ]);
  });
});
