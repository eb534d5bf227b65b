// Sending
// Sends a person's answer to an approval; the phase of the card shows how far the answer has got.
//
//   Owns:          sending an answer, the phase of the card after the engine's reply.
//   Does not own:  the cards (model.ts), holding answers back (bulk/held.ts), what becomes known later (heard.ts, lost.ts).
//
// INBOX-SENDING-1. An answer carries the hash of the input that the person saw. If the approval has another input when the answer
//     is to be sent, the answer is not sent (SEEN-1).
// INBOX-SENDING-2. If the approval ended before the engine's reply, the card does not open again, whatever the reply is and
//     even if none comes.

import { defined } from "../../../../machines/defined.ts";
import { ApiError, refusal, send } from "../engine/api.ts";
import type { Card, Phase, Reply } from "./card/card.ts";
import { phaseOf } from "./heard.ts";
import { answerable, change, readWhole, setPhase } from "./model.ts";
import { keyOf } from "./name.ts";
import { drawnOf, mayAnswer, type Seen } from "./seen/seen.ts";

const CHANGED = new ApiError(
  0,
  "CHANGED",
  "The approval has changed since you saw it: your answer was not sent.",
  "Look at the approval, and answer again.",
);

const committedOf = ({ phase }: Card, reply: Reply): Phase => ({
  is: "committed",
  reply,
  ...(phase.is === "sending" && defined({ seen: phase.seen })),
});

export async function answer(seen: Seen, reply: Reply): Promise<void> {
  const { workspace, id, hash: inputHash } = seen;
  const key = keyOf(seen);
  const card = answerable(seen);
  if (!card) return;
  if (!mayAnswer(seen, drawnOf(card), reply.decision)) {
    setPhase(seen, { is: "open", failure: CHANGED });
    return;
  }
  change(key, (it) => ({ ...it, phase: { is: "sending", reply } }));
  try {
    const said = { ...reply, via: "panel", ...defined({ inputHash }) };
    const told = await send<{ readonly result?: string }>(`/v1/approvals/${id}/decision`, said, {
      workspace,
    });
    const isOver = told.result !== "counted";
    change(key, (it) => ({ ...it, phase: isOver ? committedOf(it, reply) : phaseOf(it.approval) }));
  } catch (error) {
    const failure = refusal(error);
    change(key, (it) => (it.phase.is === "gone" ? it : { ...it, phase: phaseOf(it.approval, failure) }));
    void readWhole(card.approval);
  }
}
