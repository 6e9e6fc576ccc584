import type { Store } from '../../server/store/store.ts';
import type { NodeFacts } from './node-lease.ts';

/** What the shared store is opened with. */
export interface PostgresOptions extends Omit<NodeFacts, 'address'> {
  url: string;
  /** How long a node that is not heard of keeps its sessions. */
  leaseMilliseconds: number;
  mostSessions: number;
  /** A session's journal of up to so many bytes is left as it is. */
  smallJournalBytes?: number;
  onWarning(message: string): void;
  /** Called when the lease was renewed so late that what was due meanwhile may not have been recorded. */
  onRecovered(): void;
  /** Called with each session that another node may have by now: nothing of it counts here any more. */
  onLost(session: string): void;
}

/** How a session is left. */
export interface Leaving {
  /** Milliseconds until something in it is due; undefined where nothing is, or its clock stands still. */
  dueIn: number | undefined;
  /** Milliseconds since it was used. */
  unusedFor: number;
}

/** A store that several processes, the nodes, have in common. Each session is at one node at a time, which alone reads and changes it. */
export interface SharedStore extends Store {
  /** The secret that the nodes share. */
  readonly key: Uint8Array;
  /** Makes this node known to the others, which reach it at the address. */
  join(address: string): Promise<void>;
  /** The names of the sessions that are here. */
  held(): string[];
  /** Whether the session is here, for certain. */
  isHeld(session: string): boolean;
  /** Where another node has the session; undefined where none has. */
  addressOf(session: string): Promise<string | undefined>;
  /** Where the other nodes are that are alive. */
  others(): Promise<string[]>;
  /** Lets other nodes have the sessions; nothing in them goes on here by then. Those that have kept nothing are forgotten. */
  release(sessions: ReadonlyMap<string, Leaving>): Promise<void>;
  /** Sessions that nobody has in which something is due, those whose node is gone, and those that this one has lost sight of. */
  unattended(): Promise<string[]>;
  /** Forgets the sessions that nobody has and that were not used for so many milliseconds, except the one that is named. Returns their names. */
  expire(milliseconds: number, except: string): Promise<string[]>;
  /** Writes anew, and shorter, what has grown long. */
  compact(): void;
}
