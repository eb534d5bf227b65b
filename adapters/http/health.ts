// Health
// Whether the engine lives, whether it takes messages, how it stands.
//
//   Owns:          the probes, the plain text of the metrics, the page at the root.
//   Does not own:  the numbers (runtime).

import type { Hono } from "hono";
import { answer, type Env, type Serving } from "./context.ts";

export function healthRoutes(app: Hono<Env>, serving: Serving): void {
  const { isReady } = serving;
  app.get("/livez", (c) => answer(c, 200, { live: true }));
  app.get("/readyz", (c) => answer(c, isReady() ? 200 : 503, { ready: isReady() }));
  app.get("/metrics", (c) => c.text(metrics(serving)));
  app.get("/", (c) => c.text(page(serving)));
}

function metrics({ engine, isReady, door, followers, counters }: Serving): string {
  const ready: Readonly<Record<string, number>> = { signalbox_ready: isReady() ? 1 : 0 };
  const { journal, outlet, waiting } = engine.isReady ? engine.lag() : { journal: 0, outlet: 0, waiting: 0 };
  const { position, changes, audits, deads } = engine.isReady ? engine.meta() : NOTHING;
  const rows = {
    ...ready,
    signalbox_epoch: engine.epoch,
    signalbox_journal_position: position,
    signalbox_journal_lag: journal,
    signalbox_outlet_lag: outlet,
    signalbox_waiting: waiting,
    signalbox_changes_total: changes,
    signalbox_audits_total: audits,
    signalbox_dead_letters_total: deads,
    signalbox_refusals_total: door.refusals.total,
    signalbox_hooks_dropped_total: counters.hooksDropped,
    signalbox_hooks_late_total: counters.hooksLate,
    signalbox_followers: followers.count,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name} ${value}\n`)
    .join("");
}

const NOTHING = { position: 0, changes: 0, audits: 0, deads: 0 };

function page({ isReady }: Serving): string {
  return [
    "Signalbox: a workflow engine for AI coding-agent sessions.",
    isReady() ? "It runs and takes messages." : "It is starting or stopping, or its journal is away.",
    "",
    "Next: run `npx signalbox watch` to see sessions as they happen, `npx signalbox approvals` for open questions.",
    "The API is under /v1: /v1/sessions, /v1/requests, /v1/approvals, /v1/stream.",
    "",
  ].join("\n");
}
