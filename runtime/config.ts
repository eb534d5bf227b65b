// Configuration
// The settings of an operator that change what a turn does.
//
//   Owns:          the settings and their defaults; deriving the settings of one session (the machines' `Policy`) from them;
//                  the engine's own folders and addresses.
//   Does not own:  how an operator gives the settings (adapters); settings that affect no state (limits, ports).
//
// A change of configuration is a journal entry. So when the journal is replayed, each turn gets the settings that were in force
// when the turn first ran.

import { type CascadePolicy, DEFAULT_POLICY, defined, type Guarded, type Policy } from "../machines/index.ts";
import { type Partition, readPartition } from "./cluster/partition.ts";
import type { EngineSettings } from "./engine-settings.ts";
import { DEFAULT_QUOTA, NO_QUOTA, type Quota } from "./quota.ts";

export interface Configuration {
  /** The cascade policy for each kind of source; `default` is the policy for all other kinds. */
  readonly cascade: { readonly default: CascadePolicy } & Readonly<Record<string, CascadePolicy>>;
  readonly hungAfterMs: number;
  /** A request that has not begun ends after this long without an input about the request, ms. */
  readonly unbegunMs: number;
  /** The engine gives up a deferred call after this long, ms. */
  readonly deferredMs: number;
  /** An idle session ends after this long without an input, ms. */
  readonly idleMs: number;
  readonly keepMs: number;
  readonly orphanMs: number;
  /** How long the ids of removed actors, and the ids that a removed session has seen, are kept. */
  readonly tombstoneMs: number;
  /** How long a removed session's count of changes is kept. A session that comes back continues this count. */
  readonly ledgersKeptMs: number;
  readonly changesKeptMs: number;
  readonly auditKeptMs: number;
  /** How long the facts that rules read of an approval are kept after the approval was requested; 0 keeps none. */
  readonly approvalsKeptMs: number;
  readonly deadsKeptMs: number;
  readonly repliesKeptMs: number;
  /** How long a rule is kept after it was removed, was used up or has expired. */
  readonly rulesKeptMs: number;
  readonly quota: Quota;
  /**
   * The share of the workspaces that the journal may have; if left out, all workspaces. A journal never changes its share
   * (SAME-PARTITION-1).
   */
  readonly partition?: Partition;
  /** The engine's own folders and addresses, which no rule allows a call to reach. Each start of an engine sets them. */
  readonly guarded?: Guarded;
}

const HOUR_MS = 60 * 60 * 1000;

const { cascade: _cascade, orphansMax: _orphans, earlyMax: _early, ...TIMES } = DEFAULT_POLICY;

/** The configuration of an engine without clients; `Clients.defaults` adds the settings of clients. */
export const DEFAULT_CONFIGURATION: Configuration = {
  cascade: { default: "strict" },
  ...TIMES,
  tombstoneMs: 7 * 24 * HOUR_MS,
  ledgersKeptMs: 400 * 24 * HOUR_MS,
  changesKeptMs: 7 * 24 * HOUR_MS,
  approvalsKeptMs: 90 * 24 * HOUR_MS,
  deadsKeptMs: 30 * 24 * HOUR_MS,
  auditKeptMs: 400 * 24 * HOUR_MS,
  repliesKeptMs: 24 * HOUR_MS,
  rulesKeptMs: 30 * 24 * HOUR_MS,
  quota: DEFAULT_QUOTA,
};

/** Completes a journalled configuration, perhaps of an older version, with the defaults. */
export function completed(
  configuration: Partial<Configuration>,
  defaults: Configuration = DEFAULT_CONFIGURATION,
): Configuration {
  return isComplete(configuration) ? configuration : { ...defaults, ...configuration };
}

/**
 * The configuration of an engine: `given`, completed with `defaults`. The settings in the third argument take precedence.
 * @throws RefusedError BAD_PARTITION
 */
export function configured(
  defaults: Configuration,
  given: Partial<Configuration> = {},
  { quota = {}, approvalsKeptMs, partition }: Partial<EngineSettings> = {},
): Configuration {
  const whole = completed(given, defaults);
  return {
    ...whole,
    ...defined({ approvalsKeptMs }),
    ...(partition !== undefined && { partition: readPartition(partition) }),
    quota: quota === "off" ? NO_QUOTA : { ...whole.quota, ...quota },
  };
}

const isComplete = (configuration: Partial<Configuration>): configuration is Configuration =>
  Object.keys(DEFAULT_CONFIGURATION).every((setting) => setting in configuration);

/** The settings (`Policy`) for a session that a source of the kind `source` reported first. */
export function policyFor(configuration: Configuration, source: string): Policy {
  const { cascade, hungAfterMs, unbegunMs, deferredMs, idleMs, keepMs, orphanMs } = configuration;
  const own = Object.hasOwn(cascade, source) ? cascade[source] : undefined;
  const times = { hungAfterMs, unbegunMs, deferredMs, idleMs, keepMs, orphanMs };
  return { ...DEFAULT_POLICY, cascade: own ?? cascade.default, ...times };
}
