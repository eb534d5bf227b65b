// Health
// Whether the engine lives, whether it takes messages, how it stands.
//
//   Owns:          the probes, the plain text of the metrics.
//   Does not own:  the numbers (runtime).

import type { Hono } from "hono";
import { answer, type Env, type Serving } from "./context.ts";

export function healthRoutes(app: Hono<Env>, serving: Serving): void {
  app.get("/livez", (c) => answer(c, 200, { live: true }));
  app.get("/readyz", (c) => {
    const reasons = serving.troubles();
    const code = serving.waitsFor()?.code;
    const ready = takesMessages(serving);
    return answer(c, ready ? 200 : 503, {
      ready,
      ...(reasons.length > 0 && { reasons }),
      ...(code !== undefined && { waitsFor: code }),
    });
  });
  app.get("/metrics", (c) => c.text(metrics(serving)));
}

/** Whether what is sent now will be taken in. */
export const takesMessages = ({ isReady, troubles }: Serving): boolean =>
  isReady() && !troubles().some(({ isEssential }) => isEssential);

function metrics(serving: Serving): string {
  const { engine, door, followers, counters } = serving;
  const ready: Readonly<Record<string, number>> = { signalbox_ready: takesMessages(serving) ? 1 : 0 };
  const { journal, outlet, waiting } = engine.isReady ? engine.lag() : { journal: 0, outlet: 0, waiting: 0 };
  const { position, changes, audits, deads } = engine.isReady ? engine.meta() : NOTHING;
  const rows = {
    ...ready,
    signalbox_epoch: engine.epoch,
    signalbox_journal_position: position,
    signalbox_journal_lag: journal,
    signalbox_journal_full: engine.journalFull ? 1 : 0,
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
  const codes = new Set(serving.troubles().map(({ code }) => code));
  const troubles = [...codes].map((code) => `signalbox_trouble{code="${code}"} 1\n`);
  const turnedAway = [...engine.allowance.turnedAway].map(
    ([workspace, count]) => `signalbox_over_quota_total{workspace="${workspace}"} ${count}\n`,
  );
  const told = Object.entries(rows).map(([name, value]) => `${name} ${value}\n`);
  return [...told, ...turnedAway, ...troubles].join("");
}

const NOTHING = { position: 0, changes: 0, audits: 0, deads: 0 };
