// Engine options
// The ports and settings of which an engine is made.
//
//   Owns:          the types of the ports and settings that a program passes to an engine.
//   Does not own:  what the engine does with its options (engine).

import type { Digest, Guarded } from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import type { Configuration } from "../config.ts";
import type { Translate } from "../message.ts";
import type { Cluster } from "../cluster/standing.ts";
import type { Migrating } from "./migration.ts";
import type { Clock, Journal, Outlet, Store } from "../ports.ts";
import type { Warning } from "../turn/early-list.ts";
import type { JournalKept } from "../turn/trimming.ts";
import type { Trouble } from "../errors/trouble.ts";

export interface EngineOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly outlet?: Outlet;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly translate: Translate;
  readonly clients: Clients;
  readonly configuration?: Configuration;
  /**
   * Returns the engine's own folders and addresses, which no rule allows a call to reach. They replace those in the
   * configuration. Called at the engine's start, once HTTP listens.
   */
  readonly guarded?: () => Guarded;
  /** The build of the code. A later replay uses it to see which build applied an entry (verify). */
  readonly build?: string;
  /** Present if the engine shares its journal with others. */
  readonly cluster?: Cluster;
  readonly groupMax?: number;
  /** How many applied entries the journal keeps. */
  readonly journalKept?: JournalKept;
  readonly passivateAlways?: boolean;
  /** True to continue with another journal than the one that the store has read, from that other journal's beginning. */
  readonly adoptJournal?: boolean;
  /** True to believe the clock that stamps the journal, however far it is from the last entry. */
  readonly acceptClock?: boolean;
  /** Called with the trouble when the clock is not believed, once per jump. */
  readonly onClock?: (trouble: Trouble) => void;
  /** Called once when nothing may be written any more; must end the process without running exit hooks. */
  readonly onFatal: (error: Error) => void;
  readonly onDefect?: (error: unknown, position: number) => void;
  /** Called after a store of an earlier format was converted. */
  readonly onMigrating?: (migrating: Migrating) => void;
  /** Called after a poison entry was set aside, once the turn that set it aside is durable. */
  readonly onPoison?: (position: number) => void;
  /** Called with a warning for the sender of an applied message, once the message's turn is durable. */
  readonly onWarning?: (warning: Warning, position: number) => void;
}
