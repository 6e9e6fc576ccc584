import type { ComponentChildren } from 'preact';

export interface Column {
  name: string;
  isNumber?: boolean;
  /** The name is only read by screen readers. */
  isNameHidden?: boolean;
}

interface TableProps {
  columns: readonly Column[];
  /** One cell for each column. */
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
}

/** Explicit roles, because browsers do not treat a table that is displayed as cards as a table. */
export const withRole = (role: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell') => ({ role });

/** A table; in a narrow window each row is a card with labelled cells. */
export function Table({ columns, rows }: TableProps) {
  return (
    <div class="table-scroll">
      <table class="cards" {...withRole('table')}>
        <thead {...withRole('rowgroup')}>
          <tr {...withRole('row')}>
            {columns.map(({ name, isNumber = false, isNameHidden = false }) => (
              <th key={name} {...withRole('columnheader')} class={isNumber ? 'number' : undefined}>
                {isNameHidden ? <span class="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...withRole('rowgroup')}>
          {rows.map(({ key, cells }) => (
            <tr key={key} {...withRole('row')}>
              {columns.map(({ name, isNumber = false, isNameHidden = false }, index) => (
                <td
                  key={name}
                  {...withRole('cell')}
                  class={isNumber ? 'number' : isNameHidden ? 'row-actions' : undefined}
                  data-label={isNameHidden ? undefined : name}
                >
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
