// Configuration
// The settings of an operator that change what a turn does.
//
//   Owns:          the settings, their defaults, the policy that they give a session; where the engine is.
//   Does not own:  how they are given (adapters); settings that affect no state (limits, ports).
//
// A change of configuration is a journalled input: a replay sees each turn under the settings of its time.

import { type CascadePolicy, DEFAULT_POLICY, defined, type Guarded, type Policy } from "../machines/index.ts";
import type { EngineSettings } from "./engine-settings.ts";
import { DEFAULT_QUOTA, NO_QUOTA, type Quota } from "./quota.ts";

export interface Configuration {
  /** By kind of source; `default` for all others. */
  readonly cascade: { readonly default: CascadePolicy } & Readonly<Record<string, CascadePolicy>>;
  readonly hungAfterMs: number;
  /** A request that has not begun ends after this long without any input for it. */
  readonly unbegunMs: number;
  /** A deferred call is waited for this long. */
  readonly deferredMs: number;
  /** An idle session ends after this long without any input. */
  readonly idleMs: number;
  readonly keepMs: number;
  readonly orphanMs: number;
  /** How long the ids of removed things, and the ids that a removed session has seen, are remembered. */
  readonly tombstoneMs: number;
  /** How long a removed session's count of changes is kept: a session that comes back goes on from there. */
  readonly ledgersKeptMs: number;
  readonly changesKeptMs: number;
  readonly auditKeptMs: number;
  /** How long what rules see of an approval is kept, from when it was asked; 0 to keep nothing of removed ones. */
  readonly approvalsKeptMs: number;
  readonly deadsKeptMs: number;
  readonly repliesKeptMs: number;
  /** How long a rule is kept after it was removed, was used up or has expired. */
  readonly rulesKeptMs: number;
  /** How much each workspace may send. */
  readonly quota: Quota;
  /** Where the engine is, which no rule lets a call reach. Not set by hand: each start of an engine says it anew. */
  readonly guarded?: Guarded;
}

const HOUR_MS = 60 * 60 * 1000;

/** Of an engine without clients; `Clients.defaults` has what theirs say. */
export const DEFAULT_CONFIGURATION: Configuration = {
  cascade: { default: "strict" },
  hungAfterMs: DEFAULT_POLICY.hungAfterMs,
  unbegunMs: DEFAULT_POLICY.unbegunMs,
  deferredMs: DEFAULT_POLICY.deferredMs,
  idleMs: DEFAULT_POLICY.idleMs,
  keepMs: DEFAULT_POLICY.keepMs,
  orphanMs: DEFAULT_POLICY.orphanMs,
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

/** A journalled configuration, perhaps by an older version: settings that it did not know get their defaults. */
export function completed(
  configuration: Partial<Configuration>,
  defaults: Configuration = DEFAULT_CONFIGURATION,
): Configuration {
  return isComplete(configuration) ? configuration : { ...defaults, ...configuration };
}

/** The configuration of an engine from partial settings; those that are given apart take precedence. */
export function configured(
  defaults: Configuration,
  given: Partial<Configuration> = {},
  { quota = {}, approvalsKeptMs }: Pick<EngineSettings, "quota" | "approvalsKeptMs"> = {},
): Configuration {
  const whole = completed(given, defaults);
  return {
    ...whole,
    ...defined({ approvalsKeptMs }),
    quota: quota === "off" ? NO_QUOTA : { ...whole.quota, ...quota },
  };
}

const isComplete = (configuration: Partial<Configuration>): configuration is Configuration =>
  Object.keys(DEFAULT_CONFIGURATION).every((setting) => setting in configuration);

/** The policy for a session that was first heard of through `source`. */
export function policyFor(configuration: Configuration, source: string): Policy {
  const { cascade, hungAfterMs, unbegunMs, deferredMs, idleMs, keepMs, orphanMs } = configuration;
  const own = Object.hasOwn(cascade, source) ? cascade[source] : undefined;
  const { orphansMax, earlyMax } = DEFAULT_POLICY;
  return {
    cascade: own ?? cascade.default,
    hungAfterMs,
    unbegunMs,
    deferredMs,
    idleMs,
    keepMs,
    orphanMs,
    orphansMax,
    earlyMax,
  };
}
