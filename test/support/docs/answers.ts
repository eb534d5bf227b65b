// Answers
// The types of the engine's answers over HTTP, by the name each has in docs/reference/openapi.yaml.
//
//   Owns:          which type belongs to which answer.
//   Does not own:  the types, making schemas of them (type-schemas).

import type { Heads } from "../../../adapters/http/computed.ts";
import type { Standing } from "../../../runtime/cluster/standing.ts";
import type { Me } from "../../../runtime/access-token.ts";
import type { Interval, SeriesAnswer } from "../../../runtime/reading/figures/series.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import type { dismissLetters } from "../../../runtime/door/dismissal.ts";
import type { Door } from "../../../runtime/door/door.ts";
import type { Forgotten } from "../../../runtime/door/forget-door.ts";
import type { Filed, Ruled } from "../../../runtime/door/rule-door.ts";
import type { HandedOver } from "../../../runtime/cluster/standing.ts";
import type { Engine } from "../../../runtime/engine/engine.ts";
import type { GateAnswer } from "../../../runtime/reading/gate-answer.ts";
import type { Greeting } from "../../../runtime/line/handshake.ts";
import type { Failure } from "../../../runtime/errors/failure.ts";
import type { Trial } from "../../../runtime/reading/rule-trial.ts";
import type { LinesAround } from "../../../runtime/reading/around/file-lines.ts";
import type { Conversation } from "../../../runtime/reading/conversation.ts";
import type { Precedents } from "../../../runtime/reading/precedents/precedents.ts";
import type { OpenEnds } from "../../../runtime/clients.ts";
import type { QUERIES } from "../../../runtime/reading/query-table.ts";
import type { MergedList } from "../../../runtime/peers/pages.ts";
import type { NumberedList } from "../../../runtime/peers/numbered.ts";
import type { WithPeers } from "../../../runtime/peers/peers.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";

type Told<Given> = Exclude<Awaited<Given>, undefined>;

type Own<Op extends keyof typeof QUERIES> = Told<ReturnType<(typeof QUERIES)[Op]["answer"]>>;

/** The answer of each query. */
export type QueryAnswers = {
  readonly [Op in keyof typeof QUERIES]: Op extends MergedList | NumberedList | "search" | "stats" | "answers"
    ? Own<Op> & WithPeers
    : Own<Op>;
};

type Reply = Awaited<ReturnType<Door["decision"]>>;
type Answered = Reply["answers"][number];
type Swept = Awaited<ReturnType<Engine["retention"]["sweep"]>>;

/** The answers of the other routes, and the parts they share. */
export interface OtherAnswers {
  readonly Change: StateChange;
  readonly Error: Failure["body"];
  readonly ErrorBody: Failure["error"];
  readonly Trouble: Trouble;
  readonly Interval: Interval;
  readonly Denial: { readonly items: readonly StateChange[] };
  readonly Precedents: Precedents;
  readonly Conversation: Conversation;
  readonly LinesAround: LinesAround;
  readonly Series: SeriesAnswer & WithPeers;
  readonly AuditHeads: Heads & WithPeers;
  readonly Dismissing: Told<ReturnType<typeof dismissLetters>>;
  /** The result of one message. */
  readonly Taken: {
    readonly position: Reply["position"];
    readonly outcome: Reply["outcome"];
    readonly waitsFor?: Exclude<Reply["waitsFor"], undefined>;
    readonly reason?: string;
    readonly warning?: Exclude<Reply["warning"], undefined>;
    readonly answers?: readonly Answered[];
  };
  readonly TakenList: {
    readonly results: readonly (
      | (OtherAnswers["Taken"] & { readonly code?: string; readonly path?: string })
      | { readonly outcome: "refused"; readonly error: OtherAnswers["ErrorBody"] }
    )[];
    readonly error?: OtherAnswers["ErrorBody"];
  };
  readonly Decided: Answered & { readonly position: number };
  readonly Gated: GateAnswer;
  /** With the address of the answer, while it waits. */
  readonly Asked: GateAnswer & { readonly answer?: string };
  readonly Greeting: Greeting & { readonly proof: string };
  readonly Me: Me;
  readonly SignedOut: { readonly signedOut: true };
  readonly SignInLink: {
    readonly code: string;
    readonly expiresAt: number;
    readonly here: string;
    readonly origins: readonly string[];
  };
  readonly LogsTaken: {
    readonly partialSuccess?: { readonly rejectedLogRecords: string; readonly errorMessage?: string };
  };
  readonly TakenError: OtherAnswers["Taken"] & Failure["body"];
  readonly DecidedError: Failure["body"] &
    Pick<Answered, "approvalId" | "result"> & {
      readonly state?: string;
      readonly reason: string;
      readonly winner?: { readonly by: string; readonly via?: string; readonly at: number };
      readonly position: number;
    };
  readonly Ready: Partial<Standing> & {
    readonly ready: boolean;
    readonly reasons?: readonly Trouble[];
    readonly waitsFor?: string;
  };
  readonly Live: { readonly live: true };
  readonly Machines: {
    readonly machines: Readonly<
      Record<string, { readonly version: string; readonly definition: object; readonly mermaid: string }>
    >;
  };
  readonly Agents: { readonly agents: readonly OpenEnds[] };
  readonly Inspect: { readonly url: string };
  readonly Due: { readonly due: Awaited<ReturnType<Engine["retention"]["due"]>> };
  readonly HandedOver: HandedOver;
  readonly Swept: { readonly swept: Omit<Swept, "more">; readonly more: boolean };
  readonly Forgotten: Forgotten;
  readonly Ruled: Ruled;
  readonly Filed: Filed;
  readonly Tried: Trial;
  readonly Nothing: Readonly<Record<string, never>>;
}
