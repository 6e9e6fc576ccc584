import parse from 'parse-prometheus-text-format';
import { Counter, Histogram } from '../../../../src/server/http/metrics/instruments.ts';
import { formatMetrics } from '../../../../src/server/http/metrics/text-format.ts';

it('metrics are formatted with their texts escaped, and without empty families', () => {
  const text = formatMetrics([
    {
      name: 'sales_total',
      type: 'counter',
      help: 'Sales, with \\ and\na second line.',
      samples: [
        { labels: { shop: 'say "hi"\\\n', till: '1' }, value: 3 },
        { labels: {}, value: 0.5 },
      ],
    },
    { name: 'nothing', type: 'gauge', help: 'Omitted.', samples: [] },
  ]);
  expect(text).toBe(
    [
      '# HELP sales_total Sales, with \\\\ and\\na second line.',
      '# TYPE sales_total counter',
      'sales_total{shop="say \\"hi\\"\\\\\\n",till="1"} 3',
      'sales_total 0.5',
      '',
    ].join('\n'),
  );
  expect(parse(text)[0]?.metrics[0]?.labels).toEqual({ shop: 'say "hi"\\\n', till: '1' });
});

it('a counter has one value for each combination of label values', () => {
  const counter = new Counter('operation', 'status');
  counter.increment('pay', '200');
  counter.increment('pay', '400');
  counter.increment('pay', '200');
  expect(counter.samples()).toEqual([
    { labels: { operation: 'pay', status: '200' }, value: 2 },
    { labels: { operation: 'pay', status: '400' }, value: 1 },
  ]);
});

it('a histogram counts in each bucket all values up to its bound', () => {
  const histogram = new Histogram('operation', [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 1, 7]) {
    histogram.observe('pay', value);
  }
  histogram.observe('status', 2);
  const text = formatMetrics([{ name: 'seconds', type: 'histogram', help: 'How long.', samples: histogram.samples() }]);
  expect(text.split('\n')).toEqual([
    '# HELP seconds How long.',
    '# TYPE seconds histogram',
    'seconds_bucket{operation="pay",le="0.1"} 2',
    'seconds_bucket{operation="pay",le="1"} 4',
    'seconds_bucket{operation="pay",le="+Inf"} 5',
    'seconds_sum{operation="pay"} 8.65',
    'seconds_count{operation="pay"} 5',
    'seconds_bucket{operation="status",le="0.1"} 0',
    'seconds_bucket{operation="status",le="1"} 0',
    'seconds_bucket{operation="status",le="+Inf"} 1',
    'seconds_sum{operation="status"} 2',
    'seconds_count{operation="status"} 1',
    '',
  ]);
});
