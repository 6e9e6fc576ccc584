import { judgeAudit } from '../../scripts/audit.mjs';

const ADVISORY = {
  name: 'qs',
  url: 'https://advisories.example/GHSA-1111-2222-3333',
  title: 'Reads too much',
  severity: 'moderate',
};
const EXCEPTION = {
  advisory: 'GHSA-1111-2222-3333',
  library: 'qs',
  reason: 'queries are parsed by Node.js',
  until: '2027-01-31',
};
/** express is named because it depends on qs; the second qs belongs to a tool. */
const REPORT = {
  vulnerabilities: {
    qs: { via: [ADVISORY], nodes: ['node_modules/qs', 'node_modules/tool/node_modules/qs'] },
    express: { via: ['qs'], nodes: ['node_modules/express'] },
  },
};

function judge({
  exceptions = [],
  bundled = ['node_modules/qs', 'node_modules/express'],
  today = '2026-12-01',
  report = REPORT,
}: Partial<{ exceptions: (typeof EXCEPTION)[]; bundled: string[]; today: string; report: object }>) {
  return judgeAudit(report, { isBundled: (_, place) => bundled.includes(place), exceptions, today });
}

describe('the audit of bundled libraries', () => {
  it('reports each known vulnerability once', () => {
    const problems = ['qs: Reads too much (moderate, https://advisories.example/GHSA-1111-2222-3333)'];
    expect(judge({})).toEqual({ isChecked: true, problems, notes: [] });
  });

  it('omits libraries that are installed only for development', () => {
    expect(judge({ bundled: ['node_modules/express'] }).problems).toEqual([]);
  });

  it('accepts an exception with its reason until its last day', () => {
    expect(judge({ exceptions: [EXCEPTION], today: '2027-01-31' })).toEqual({
      isChecked: true,
      problems: [],
      notes: ['qs: GHSA-1111-2222-3333 does not count until 2027-01-31: queries are parsed by Node.js'],
    });
    const { problems, notes } = judge({ exceptions: [EXCEPTION], today: '2027-02-01' });
    expect(notes).not.toContainEqual(expect.stringContaining('remove it'));
    expect(problems).toEqual([expect.stringMatching('its exception ended on 2027-01-31$')]);
  });

  it('asks to remove an exception that is not needed', () => {
    const { notes } = judge({ exceptions: [EXCEPTION], report: { vulnerabilities: {} } });
    expect(notes).toEqual([expect.stringContaining('is not needed; remove it')]);
  });

  it('reports that nothing was checked if the registry does not answer', () => {
    const report = { message: '405 Method Not Allowed', error: { summary: '' } };
    expect(judge({ report })).toEqual({
      isChecked: false,
      problems: [],
      notes: ['The registry could not be asked, so nothing was checked: 405 Method Not Allowed'],
    });
    expect(judge({ report: {} }).isChecked).toBe(false);
  });
});
