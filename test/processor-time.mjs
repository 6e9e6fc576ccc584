// Records the processor time of each test file and of its child processes, which `npm test` shows. Jest runs this in each test file.
import { appendFileSync } from 'node:fs';
import { processorTime } from '../scripts/processor-time.mjs';

const report = process.env['PROCESSOR_TIMES'];
if (report !== undefined) {
  const before = processorTime();
  afterAll(() => {
    const { testPath } = expect.getState();
    appendFileSync(report, `${JSON.stringify({ testPath, seconds: processorTime() - before })}\n`);
  });
}
