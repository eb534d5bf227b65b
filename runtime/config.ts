// Configuration
// What an operator may set that changes what a turn does.
//
//   Owns:          the settings, their defaults, the policy they give a session.
//   Does not own:  how they are given (adapters); settings that touch no state (limits, ports).
//
// A change of configuration is a journalled input: a replay sees each turn under the one in force then.

import { type CascadePolicy, DEFAULT_POLICY, type Policy } from "../machines/index.ts";

export interface Configuration {
  /** By kind of source; `default` for all others. */
  readonly cascade: { readonly default: CascadePolicy } & Readonly<Record<string, CascadePolicy>>;
  readonly hungAfterMs: number;
  readonly keepMs: number;
  readonly orphanMs: number;
  /** How long a removed session's version and seen ids are remembered. */
  readonly tombstoneMs: number;
  readonly changesKeptMs: number;
  readonly auditKeptMs: number;
  readonly deadsKeptMs: number;
  readonly repliesKeptMs: number;
}

const HOUR_MS = 60 * 60 * 1000;

export const DEFAULT_CONFIGURATION: Configuration = {
  cascade: { default: "strict", "claude-code": "interrupt" },
  hungAfterMs: DEFAULT_POLICY.hungAfterMs,
  keepMs: DEFAULT_POLICY.keepMs,
  orphanMs: DEFAULT_POLICY.orphanMs,
  tombstoneMs: 7 * 24 * HOUR_MS,
  changesKeptMs: 7 * 24 * HOUR_MS,
  deadsKeptMs: 30 * 24 * HOUR_MS,
  auditKeptMs: 400 * 24 * HOUR_MS,
  repliesKeptMs: 24 * HOUR_MS,
};

/** The policy for a session that was first heard of through `source`. */
export function policyFor(configuration: Configuration, source: string): Policy {
  const { cascade, hungAfterMs, keepMs, orphanMs } = configuration;
  const own = Object.hasOwn(cascade, source) ? cascade[source] : undefined;
  return { ...DEFAULT_POLICY, cascade: own ?? cascade.default, hungAfterMs, keepMs, orphanMs };
}
