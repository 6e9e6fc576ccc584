import type { Cell, CellKey } from '../../../base/report/coverage-cells.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { type ActionPage, actionPages } from '../../payer-pages/payer-pages.ts';
import { toSource } from './source-code.ts';

/** A cell for each button on each payer page. */
export function pageCells({ channels: { channels } }: Fixtures): Cell[] {
  return actionPages()
    .filter(({ flow }) => flow === undefined || channels.some((channel) => channel.flow === flow))
    .flatMap((page) =>
      page.actions.map((action) => ({
        ...pageCell(page, action),
        try: `await page.locator(${toSource(`button[value="${action}"]`)}).first().click(); // on ${pathOf(page)}`,
      })),
    );
}

export function pageCell(page: Pick<ActionPage, 'path'>, action: string): CellKey {
  return { class: 'pages', of: pathOf(page), what: action };
}

function pathOf({ path }: Pick<ActionPage, 'path'>): string {
  return `/pay${path}`;
}
