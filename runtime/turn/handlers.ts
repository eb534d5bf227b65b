// Handlers
// The table of handlers: one for each kind of message.
//
//   Owns:          the handler of each kind of message.
//   Does not own:  choosing the entries that get a handler, ending a turn (turn, verdict), applying inputs (playing).
//
// HANDLERS-1. Every kind of message has a handler. (checked by review: otherwise the code does not compile)

import type { Input } from "../../machines/index.ts";
import { isStale } from "../cluster/says.ts";
import { checkTerm } from "../cluster/seam.ts";
import { begun, counted, ended } from "../cluster/term.ts";
import { completed } from "../config.ts";
import { accept, reckon } from "../journal/journal-time.ts";
import type { OwnMessage, SourceMessage } from "../message.ts";
import { spendAlarm } from "../rows/alarms.ts";
import { HOLD_TIMER } from "../rows/holdback-rows.ts";
import { correct } from "../rows/keeping.ts";
import { meta, setMeta } from "../rows/meta.ts";
import { dropPolicy, setPolicy } from "../rows/policy-rows.ts";
import { dismiss } from "./dismissing.ts";
import { forgetPiece } from "./forgetting.ts";
import { everything, inOrder, overdue } from "./holdback.ts";
import { type Played, play } from "./playing.ts";
import { playRetried } from "./set-aside/retried.ts";
import { applyFile } from "./rule-file.ts";
import { enforce, make, unmake } from "./rule-making.ts";
import { sweep } from "./sweep.ts";
import { APPLIED, rejected, setAside, type Verdict } from "./verdict.ts";

type Said = OwnMessage["said"];
type Own = Played<OwnMessage>;

/** Applies a source's message. @param inputs the message's inputs, which were translated before the check for duplicates. */
export function heard(turn: Played<SourceMessage>, inputs: readonly Input[]): Verdict {
  const { layer, home, entry, message, deps } = turn;
  return play(turn, (attempts) =>
    attempts.release(inOrder(layer, home, entry, message, deps.digest), { message, inputs }),
  );
}

export function own(turn: Own): Verdict {
  const { said } = turn.message;
  if (isStale(meta(turn.layer), turn.message)) return stale(turn, "STALE_TERM");
  // The cast is safe: a handler only gets messages of its own type.
  return (OWN[said.type] as (turn: Own, said: Said) => Verdict)(turn, said);
}

function stale({ layer }: Own, code: "STALE_TERM" | "TERM_TAKEN"): Verdict {
  setMeta(layer, counted(meta(layer)));
  return rejected(code, "another engine is the owner");
}

const given = (turn: Own, said: Input): Verdict =>
  play(turn, (attempts) => attempts.play(turn.message, [said]));

const OWN: { readonly [T in Said["type"]]: (turn: Own, said: Extract<Said, { type: T }>) => Verdict } = {
  decision: given,
  assigned: given,
  "process.gone": given,
  "waiter.gone": given,
  "timer.fired": (turn, said) =>
    play(turn, (attempts) => {
      const { layer, home, entry, message } = turn;
      if (said.timer === HOLD_TIMER) {
        if (spendAlarm(layer, home, said) === "spent") attempts.release(overdue(layer, home, entry.at));
        return;
      }
      // Before the session is removed, messages in the hold-back are applied: one of them may be a reason to keep the session.
      if (said.timer === "removal" && said.address === home) attempts.release(everything(layer, home));
      attempts.play(message, [said]);
    }),
  retried: (turn, said) =>
    play(turn, (attempts) => playRetried(turn.layer, turn.home, turn.entry, said, attempts)),
  refused: ({ layer, entry }, said) => setAside(layer, entry, said),
  "term.begun": (turn, said) => {
    const known = begun(meta(turn.layer), said);
    if (!known) return stale(turn, "TERM_TAKEN");
    checkTerm(known, turn.deps.build);
    setMeta(turn.layer, known);
    return APPLIED;
  },
  "term.ended": (turn, said) => {
    const known = ended(meta(turn.layer), said, turn.entry.position);
    if (!known) return stale(turn, "STALE_TERM");
    setMeta(turn.layer, known);
    return APPLIED;
  },
  configured: ({ layer, deps }, { configuration }) => {
    setMeta(layer, { configuration: completed(configuration, deps.clients.defaults) });
    return APPLIED;
  },
  swept: ({ layer, entry }, said) => ({ ...APPLIED, swept: sweep(layer, entry, said) }),
  measured: ({ layer, entry }, said) => {
    correct(layer, entry.at, said);
    return APPLIED;
  },
  tallied: ({ layer }, { reckoned }) => {
    if (reckoned !== undefined) setMeta(layer, reckon(meta(layer), reckoned));
    return APPLIED;
  },
  "clock.accepted": ({ layer }) => {
    setMeta(layer, accept(meta(layer)));
    return APPLIED;
  },
  dismissed: dismiss,
  "session.forgotten": forgetPiece,
  "rule.added": make,
  "rules.applied": applyFile,
  "rule.removed": unmake,
  "rule.enforced": enforce,
  "policy.set": ({ layer, entry }, said) => {
    setPolicy(layer, entry.at, said);
    return APPLIED;
  },
  "policy.dropped": ({ layer }) => {
    dropPolicy(layer);
    return APPLIED;
  },
  "policy.ruled": (turn, said) => play(turn, (attempts) => attempts.rule(turn.message, turn.home, said)),
};
