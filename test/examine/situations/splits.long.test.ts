import { createDesignExaminer, problemsIn, verdictIn } from '../examine-design.ts';

const examine = createDesignExaminer();
const CHANNEL = 'mobile-money';

it('a shop that splits each payment request in the same way has no violations', async () => {
  const only = [CHANNEL, 'paid', 'call-refused', 'call-cut-before', 'answer-lost'];
  const examined = await examine({ splits: true }, { only });
  expect(problemsIn(examined)).toEqual([]);
  expect(verdictIn(examined, 'I19')).toMatchObject({ verdict: 'handled', situation: 'call-refused' });
});

it('a shop that sends a refused request again without its split violates I19', async () => {
  const only = [CHANNEL, 'call-refused'];
  const examined = await examine({ splits: true, mistake: 'splits-once' }, { only });
  expect(verdictIn(examined, 'I19')).toMatchObject({ verdict: 'violated', isScored: false });
});

it('a shop that splits no payment gets no verdict about splits', async () => {
  const { verdicts } = await examine({}, { only: [CHANNEL, 'call-refused'] });
  expect(verdicts.map(({ invariant }) => invariant)).toEqual(['I1', 'I3']);
});
