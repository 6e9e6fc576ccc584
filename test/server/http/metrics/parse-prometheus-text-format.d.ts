declare module 'parse-prometheus-text-format' {
  /** Values are texts, as they stand in what was read. Of histograms it reads those without labels alone. */
  export interface ParsedMetric {
    labels?: Record<string, string>;
    value?: string;
  }

  export interface ParsedFamily {
    name: string;
    help: string;
    type: string;
    metrics: ParsedMetric[];
  }

  export default function parse(text: string): ParsedFamily[];
}
