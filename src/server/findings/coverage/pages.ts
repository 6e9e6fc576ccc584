import type { Cell, CellKey } from '../../../base/report/coverage-cells.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { type ActedPage, actedPages } from '../../payer-pages/payer-pages.ts';
import { code } from './code.ts';

/** Each page of the payer's with each button on it. */
export function pages({ channels: { channels } }: Fixtures): Cell[] {
  return actedPages()
    .filter(({ flow }) => flow === undefined || channels.some((channel) => channel.flow === flow))
    .flatMap((page) =>
      page.actions.map((action) => ({
        ...actionOn(page, action),
        try: `await page.locator(${code(`button[value="${action}"]`)}).first().click(); // on ${pathOf(page)}`,
      })),
    );
}

export function actionOn(page: Pick<ActedPage, 'path'>, action: string): CellKey {
  return { class: 'pages', of: pathOf(page), what: action };
}

function pathOf({ path }: Pick<ActedPage, 'path'>): string {
  return `/pay${path}`;
}
