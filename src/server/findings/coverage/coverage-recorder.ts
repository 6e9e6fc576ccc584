import { isCaught } from '../../../base/catch.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import { Refusal } from '../../../base/refusal.ts';
import {
  type Cell,
  type CellKey,
  type CoverageView,
  cellKeyOf,
  coverageOf,
  type Degree,
  higherDegree,
} from '../../../base/report/coverage-cells.ts';
import type { Delivery, Payment } from '../../../base/schema/generated/records.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { FinishedCall } from '../../merchant-api/conclude.ts';
import type { ActionPage } from '../../payer-pages/payer-pages.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { Epoch, Reader } from '../../sessions/reader.ts';
import type { AnyRecord, RecordChange } from '../../store/store.ts';
import { faultCell, faultCells } from './faults.ts';
import { cellOfDelivery, droppedNotificationCell, notificationCells, reportsOutcome } from './notifications.ts';
import { notifiedOutcomeCell, outcomeCellOf, outcomeCells } from './outcomes.ts';
import { pageCell, pageCells } from './pages.ts';
import { creditOutcomeCell, notifiedPayoutOutcomeCells, payoutOutcomeCells } from './payouts.ts';

type RecordReader = Pick<Reader, 'get' | 'epoch'>;

/** The degree that each cell (one behaviour of the sandbox) has reached in this process, over all sessions including deleted ones. */
export class CoverageRecorder {
  readonly #fixtures: () => Fixtures;
  readonly #onError: (error: unknown) => void;
  readonly #degrees = new Map<string, Degree>();
  /** Records that a person changed in the console. They identify the commit that stores them. */
  readonly #changedByHand = new WeakSet<AnyRecord>();
  /** Notifications and payment steps that a person caused in the console; by epoch, because their ids recur in the next epoch. */
  readonly #byHand = new WeakMap<Epoch, RecentValues<true>>();
  #cached: { fixtures: Fixtures; cells: ReadonlyMap<string, Cell> } | undefined;

  constructor(fixtures: () => Fixtures, onError: (error: unknown) => void) {
    this.#fixtures = fixtures;
    this.#onError = onError;
  }

  /** Does not count a restored or forked state, because its event has no collection. */
  recordCommit(session: RecordReader, events: readonly SessionEvent[], changes: readonly RecordChange[]): void {
    if (changes.some(({ record }) => record && this.#changedByHand.has(record))) {
      this.#markByHand(session, changes);
      return;
    }
    for (const event of events) {
      this.#raise(creditOutcomeCell(event), 'produced');
    }
    if (events.some(({ collection }) => collection === 'payments' || collection === 'deliveries')) {
      for (const { collection, record } of changes) {
        if (record && collection === 'payments') {
          this.#raise(outcomeCellOf(record as Payment), 'produced');
        } else if (record && collection === 'deliveries') {
          this.#recordDelivery(session, record as Delivery);
        }
      }
    }
  }

  /** Marks records that a click in the console is about to change, because it shows nothing about the code under test. */
  markChangedByHand(changes: readonly RecordChange[]): void {
    for (const { record } of changes) {
      if (record) {
        this.#changedByHand.add(record);
      }
    }
  }

  recordCall({ route, appliedFault, reportedPayment, status, isByHand, epoch }: FinishedCall): void {
    if (isByHand) {
      return;
    }
    if (route && appliedFault) {
      this.#raise(faultCell(route.operation, appliedFault), 'seen');
    }
    if (reportedPayment && status === 200 && !this.#isByHand(epoch, lastStepOf(reportedPayment))) {
      this.#raise(outcomeCellOf(reportedPayment), 'seen');
      this.#raiseIfProduced(droppedNotificationCell(reportedPayment));
    }
  }

  /** For an action that the page accepted. */
  recordAction(page: Pick<ActionPage, 'path'>, action: string): void {
    this.#raise(pageCell(page, action), 'seen');
  }

  get coverage(): CoverageView {
    const cells = [...this.#cells].map(([key, cell]) => ({
      ...cell,
      degree: this.#degrees.get(key) ?? 'never',
    }));
    return coverageOf(cells);
  }

  /** Marks everything in the same commit, so that notifications of the change do not count either. */
  #markByHand({ epoch }: RecordReader, changes: readonly RecordChange[]): void {
    const marks = this.#byHand.get(epoch) ?? new RecentValues<true>();
    this.#byHand.set(epoch, marks);
    for (const { collection, id, record } of changes) {
      marks.set(collection === 'payments' && record ? lastStepOf(record as Payment) : id, true);
    }
  }

  #isByHand(epoch: Epoch, idOrStep: string): boolean {
    return this.#byHand.get(epoch)?.has(idOrStep) ?? false;
  }

  #recordDelivery(session: RecordReader, delivery: Delivery): void {
    if (delivery.isTest || isCaught(delivery) || this.#isByHand(session.epoch, delivery.id)) {
      return;
    }
    const { cell, degree } = cellOfDelivery(delivery);
    this.#raise(cell, degree);
    if (degree !== 'produced' && reportsOutcome(delivery)) {
      // A delivery contains only the id of its payment or payout, so the record is read.
      this.#outcomesReportedBy(session, delivery, degree)
        .then((cells) => {
          for (const each of cells) {
            this.#raise(each, degree);
          }
        })
        .catch((error: unknown) => {
          // The session may have been deleted in between; then there is nothing to record.
          if (!(error instanceof Refusal)) {
            this.#onError(error);
          }
        });
    }
  }

  async #outcomesReportedBy(reader: RecordReader, delivery: Delivery, degree: Degree): Promise<CellKey[]> {
    const { type, subjectId } = delivery;
    const payment = reader.get('payments', subjectId);
    if (payment) {
      const outcome = notifiedOutcomeCell(type, payment);
      return outcome ? [outcome] : [];
    }
    const payout = reader.get('payouts', subjectId);
    const isWanted = (cell: CellKey) => this.#isHigher(cell, degree);
    return payout ? notifiedPayoutOutcomeCells(delivery, payout, this.#fixtures(), isWanted) : [];
  }

  /** For lost notifications: without an endpoint none was produced, so none was lost. */
  #raiseIfProduced(cell: CellKey | undefined): void {
    if (cell && this.#degrees.has(cellKeyOf(cell))) {
      this.#raise(cell, 'seen');
    }
  }

  /** Raises the degree of a cell. Ignores cells that are not in the table, such as users' own codes, because their number is unlimited. */
  #raise(cell: CellKey | undefined, degree: Degree): void {
    if (cell && this.#isHigher(cell, degree)) {
      this.#degrees.set(cellKeyOf(cell), degree);
    }
  }

  #isHigher(cell: CellKey, degree: Degree): boolean {
    const key = cellKeyOf(cell);
    const previousDegree = this.#degrees.get(key) ?? 'never';
    return this.#cells.has(key) && higherDegree(previousDegree, degree) !== previousDegree;
  }

  /** THE TABLE of cells, derived from the current fixtures. */
  get #cells(): ReadonlyMap<string, Cell> {
    const fixtures = this.#fixtures();
    if (this.#cached?.fixtures !== fixtures) {
      const cells = [
        ...outcomeCells(fixtures),
        ...payoutOutcomeCells(fixtures),
        ...faultCells(),
        ...notificationCells(fixtures),
        ...pageCells(fixtures),
      ];
      this.#cached = { fixtures, cells: new Map(cells.map((cell) => [cellKeyOf(cell), cell])) };
    }
    return this.#cached.cells;
  }
}

function lastStepOf({ id, history }: Payment): string {
  return `${id} ${history.length}`;
}
