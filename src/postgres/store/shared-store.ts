import type { Store } from '../../server/store/store.ts';
import type { NodeFacts } from './node-lease.ts';

export interface PostgresOptions extends Omit<NodeFacts, 'address'> {
  url: string;
  /** How long a node keeps its sessions without renewing its lease. */
  leaseMs: number;
  maxSessions: number;
  /** Journals of up to this size are not compacted. */
  smallJournalBytes?: number;
  onWarning(message: string): void;
  /** Called when the lease was renewed late, because outcomes of jobs may not have been recorded until then. */
  onRecovered(): void;
  /** Called with each session that another node may have taken; its data on this node is not valid any more. */
  onLost(session: string): void;
}

export interface IdleFacts {
  /** Milliseconds until something in the session is due; undefined if nothing is, or its clock is frozen. */
  dueInMs: number | undefined;
  unusedMs: number;
}

/** A store that several processes, the nodes, share. A session is at one node at a time, and only that node reads and changes it. */
export interface SharedStore extends Store {
  readonly key: Uint8Array;
  /** Registers this node under an address at which the others reach it. */
  join(address: string): Promise<void>;
  ownedSessions(): string[];
  /** Whether this node certainly owns the session, and is not claiming, releasing or dropping it. */
  isOwned(session: string): boolean;
  /** The address of the other node that has the session; undefined if none has it. */
  addressOf(session: string): Promise<string | undefined>;
  /** The addresses of the other live nodes. */
  otherAddresses(): Promise<string[]>;
  /** Gives up the sessions, which must have stopped on this node. Those without stored data are deleted. */
  release(sessions: ReadonlyMap<string, IdleFacts>): Promise<void>;
  /** Some sessions without an owner in which something is due, some whose node is gone, and those of this node that it has not loaded. */
  sessionsToClaim(): Promise<string[]>;
  /** Deletes the sessions that have no owner and were not used for N milliseconds, except the given one. Returns their names. */
  expire(unusedMs: number, except: string): Promise<string[]>;
  /** Replaces long journals with a snapshot. */
  compact(): void;
}
