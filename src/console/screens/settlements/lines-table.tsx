import type { SettlementFile } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { pathOf } from '../../address.ts';
import { joinTexts, Moment } from '../../components/parts.tsx';
import { Amount } from '../../record/amount.tsx';
import { channelName } from '../../record/channel-names.ts';
import { screenOfRecord } from '../../record/screen-of-record.ts';
import { type Figures, groupLines, type LineGroup, sumOf } from './figures.ts';

type FileLine = SettlementFile['lines'][number];

/** The most lines of a kind that are shown; the file and the sums contain all of them. */
const MAX_LINES = 200;

export function LinesTable({ file, isLinked }: { file: SettlementFile; isLinked: boolean }) {
  const { lines, header, totals } = file;
  const groups = groupLines(lines);
  const total = sumOf(groups);
  const [carriedIn, carriedOut, invoiced] = [totals.carriedIn, 0 - totals.carriedOut, 0 - totals.invoiced];
  const transferred = total.net + carriedIn + carriedOut + invoiced;
  return (
    <table class="books lines" data-testid="lines">
      <caption class="visually-hidden">Lines of the file, in {header.currency}</caption>
      <thead>
        <tr>
          <th class="wide-only">Line</th>
          <th>Reference</th>
          <th class="wide-only">Time</th>
          <th class="number">Gross</th>
          <th class="number">Fees</th>
          <th class="number">Net</th>
        </tr>
      </thead>
      {groups.map((group) => (
        <Group key={group.kind} group={group} isLinked={isLinked} />
      ))}
      <tfoot>
        <SumRow title="Total" figures={total} />
        {carriedIn === 0 ? null : <NetRow title="Carried in" net={carriedIn} />}
        {carriedOut === 0 ? null : <NetRow title="Carried out" net={carriedOut} />}
        {invoiced === 0 ? null : <NetRow title="Invoiced" net={invoiced} />}
        <NetRow title={`Transferred, in ${header.currency}`} net={transferred} isLast />
      </tfoot>
    </table>
  );
}

function Group({ group, isLinked }: { group: LineGroup; isLinked: boolean }) {
  const { title, lines } = group;
  const hidden = lines.length - MAX_LINES;
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={6}>
          {title} <span class="quiet">({lines.length})</span>
        </th>
      </tr>
      {lines.slice(0, MAX_LINES).map((line) => (
        <LineRow key={line.line} line={line} isLinked={isLinked} />
      ))}
      {hidden > 0 ? (
        <tr>
          <td colSpan={6} class="quiet">
            {plural(hidden, 'more line')} in the file.
          </td>
        </tr>
      ) : null}
      <SumRow title={title} figures={group} />
    </tbody>
  );
}

function LineRow({ line, isLinked }: { line: FileLine; isLinked: boolean }) {
  const { lineType, recordId, paymentReference, channel, code, description } = line;
  const screen = isLinked ? screenOfRecord(recordId) : undefined;
  const name = paymentReference === '' ? recordId : paymentReference;
  // The code and description of a payment would only say that it was paid.
  const why = lineType === 'payment' || lineType === 'share' ? [] : [code || null, description || null];
  const words = [channel === '' ? null : channelName(channel), ...why];
  return (
    <tr>
      <td class="wide-only quiet">{line.line}</td>
      <td>
        {screen === undefined ? <bdi>{name}</bdi> : <a href={pathOf(screen, recordId)}>{name}</a>}{' '}
        <span class="quiet">{joinTexts(words, ' · ')}</span>
      </td>
      <td class="wide-only moment">
        <Moment at={line.occurredAt} />
      </td>
      <Cells figures={line} />
    </tr>
  );
}

function SumRow({ title, figures }: { title: string; figures: Figures }) {
  return (
    <tr class="sum">
      <td class="wide-only" />
      <th scope="row">{title}</th>
      <td class="wide-only" />
      <Cells figures={figures} />
    </tr>
  );
}

function NetRow({ title, net, isLast = false }: { title: string; net: number; isLast?: boolean }) {
  return (
    <tr class={isLast ? 'sum last' : 'sum'}>
      <td class="wide-only" />
      <th scope="row">{title}</th>
      <td class="wide-only" />
      <td />
      <td />
      <td class="number">
        <Amount units={net} />
      </td>
    </tr>
  );
}

function Cells({ figures: { gross, fee, net } }: { figures: Figures }) {
  return [gross, fee, net].map((units, index) => (
    <td key={index} class="number">
      <Amount units={units} />
    </td>
  ));
}
