declare module 'parse-prometheus-text-format' {
  /** Values are texts, as in the input. The parser does not support histograms with labels. */
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
