import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { STYLE } from './style.ts';

/** A report as one HTML file that needs no network. */
export function renderReport(title: string, content: ComponentChildren): string {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}\n`;
}

export function renderFacts(all: readonly (readonly [name: string, value: string])[]) {
  return (
    <dl class="facts">
      {all.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
