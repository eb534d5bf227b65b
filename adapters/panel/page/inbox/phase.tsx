// Phase
// What became of an approval: how far the answer given here has got, or why none is needed.
//
//   Owns:          the words.
//   Does not own:  the phases (model.ts).

import type { Reply, Phase } from "./card.ts";

export function PhaseLine({ phase }: { readonly phase: Phase }) {
  switch (phase.is) {
    case "open":
      return phase.failure ? (
        <p class="failure" role="alert">
          {phase.failure.message} {phase.failure.next}
        </p>
      ) : null;
    case "held":
      return (
        <p class="steps">
          <strong class={phase.reply.decision}>
            {phase.reply.decision === "approve" ? "To be approved" : "To be denied"}
          </strong>{" "}
          in a moment
        </p>
      );
    case "sending":
      return <Steps reply={phase.reply} done={0} />;
    case "committed":
      return phase.seen === "ran anyway" ? (
        <p class="failure" role="alert">
          Denied, but the agent ran the call anyway.
        </p>
      ) : (
        <Steps reply={phase.reply} done={phase.seen === undefined ? 1 : 2} />
      );
    case "gone":
      return <p class="reason">{phase.why}</p>;
  }
}

const STEPS = ["sent", "committed", "confirmed by the agent"] as const;

function Steps({ reply, done }: { readonly reply: Reply; readonly done: number }) {
  return (
    <p class="steps" role="status">
      <strong class={reply.decision}>{reply.decision === "approve" ? "Approved" : "Denied"}</strong>
      {STEPS.map((step, index) => (
        <span key={step} class={index <= done ? "reached" : "ahead"}>
          {index <= done ? "● " : "○ "}
          {step}
        </span>
      ))}
    </p>
  );
}
