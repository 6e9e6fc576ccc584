export interface Sample {
  /** A suffix of the family's name, such as `_bucket` for a histogram. */
  suffix?: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** A metric with all its samples. */
export interface Family {
  /** In base units: seconds, bytes. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: readonly Sample[];
}

/** Metrics in Prometheus' text format, version 0.0.4. A family without samples is omitted. */
export function formatMetrics(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels, value }) => `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}\n`,
      );
      return `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function formatValue(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
