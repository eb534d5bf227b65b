// Input attempts
// Applies the inputs of a turn's messages one after another, and records how each ended.
//
//   Owns:          one attempt per input, which is undone completely if the input is rejected.
//   Does not own:  which messages a turn applies (turn, hold-back), delivery to actors (delivery).
//
// INPUT-ATTEMPTS-1. A rejected input leaves the rows as they were, and does not affect the other inputs.

import type { Stage } from "./stage.ts";
import { letterOf } from "./set-aside/letter.ts";
import {
  type Address,
  type DecisionResult,
  type Audit,
  type Decision,
  type Demanded,
  type Digest,
  type Input,
  type Policy,
  sessionAddress,
  type SessionContext,
} from "../../machines/index.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import { spendAlarm } from "../rows/alarms.ts";
import type { DraftChange } from "../rows/changes.ts";
import type { Clients } from "../clients.ts";
import { policyFor } from "../config.ts";
import { deliver, type Delivered, Rejection } from "./delivery.ts";
import { checkApprovals, ClosedRejection } from "./set-aside/closed.ts";
import { FatalError, RefusedError } from "../errors/errors.ts";
import { gapText, type Released } from "./holdback.ts";
import { reject } from "../rows/ledger.ts";
import { endedIn, recordAnswer } from "./dry-recording.ts";
import { answerByPolicy, takeAsked } from "./policy/policy-answering.ts";
import { answerByRule, askedIn } from "./rule-answering.ts";
import { type Message, type SourceMessage, type Translate, writeMessage } from "../message.ts";
import type { PolicyRuled } from "../policy.ts";
import { meta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry } from "../ports.ts";
import { setAside } from "./verdict.ts";

export interface AttemptDeps {
  readonly translate: Translate;
  readonly clients: Clients;
  readonly digest: Digest;
}

interface Translated {
  readonly message: Message;
  readonly inputs: readonly Input[];
}

export class InputAttempts {
  readonly changes: DraftChange[] = [];
  readonly answers: DecisionResult[] = [];
  readonly audits: Audit[] = [];
  readonly reasons: string[] = [];
  attempts = 0;
  /** The code of the first rejection that has a code. */
  code: string | undefined;
  defect: unknown;
  /** True if an approval was rejected because its session is closed to approvals. */
  isClosed = false;
  /** Present if the turn's own message is held back: the number that its source must send first. */
  waitsFor: number | undefined;
  readonly #layer: Layer;
  readonly #entry: JournalEntry;
  readonly #deps: AttemptDeps;

  constructor(layer: Layer, entry: JournalEntry, deps: AttemptDeps) {
    this.#layer = layer;
    this.#entry = entry;
    this.#deps = deps;
  }

  /**
   * Applies messages that the hold-back released in order, and records missing numbers as gaps.
   * @param own the message of this turn, which was translated before it was put in order.
   */
  release({ messages, gaps, waitsFor }: Released, own?: Translated): void {
    this.waitsFor = waitsFor;
    const [first] = messages;
    if (first && gaps.length > 0)
      this.#reject(sessionAddress(first.workspace, first.session), "gap", gapText(gaps));
    for (const message of messages) {
      if (message === own?.message) this.play(message, own.inputs);
      else this.#playHeld(message);
    }
  }

  /** @throws RefusedError for a message that cannot be understood. */
  translate(message: SourceMessage): readonly Input[] {
    return this.#deps.translate(message);
  }

  /** Applies a message that was held back. Its sender got a reply long ago, so a rejection is only recorded. */
  #playHeld(message: SourceMessage): void {
    let inputs: readonly Input[];
    try {
      inputs = this.translate(message);
    } catch (error) {
      // The translator of an older version accepted this message, and the present one does not.
      if (error instanceof FatalError) throw error;
      if (!(error instanceof RefusedError)) this.defect = error;
      const body = writeMessage(message);
      setAside(this.#layer, { ...this.#entry, body }, letterOf(error, body));
      return;
    }
    const { attempts, reasons, code } = this;
    const before = reasons.length;
    this.play(message, inputs);
    this.attempts = attempts;
    this.code = code;
    reasons.length = before;
  }

  /** Applies one message. @throws FatalError only. */
  play(message: Message, inputs: readonly Input[]): void {
    const { workspace, session } = message;
    const home = sessionAddress(workspace, session);
    const layer = this.#layer;
    for (const input of inputs) {
      this.attempts += 1;
      try {
        const delivered = layer.attempt(() => {
          checkAlarm(layer, input);
          return checkApprovals(layer, home, deliver(this.#stage(message, home), input));
        });
        this.#add(delivered);
        for (const id of askedIn(delivered.changes)) this.#consult(message, home, id);
        for (const id of endedIn(delivered.changes)) this.#record(message, home, id);
      } catch (error) {
        if (error instanceof FatalError) throw error;
        this.isClosed ||= error instanceof ClosedRejection;
        if (error instanceof Rejection) this.code ??= error.code;
        if (!(error instanceof Rejection)) this.defect = error;
        else if (input.type === "timer.fired") spendAlarm(layer, input.address as Address, input);
        const reason = error instanceof Error ? error.message : String(error);
        this.reasons.push(reason);
        this.#reject(home, input.type, reason);
      }
    }
  }

  #add({ changes, answers, audits }: Delivered): void {
    this.changes.push(...changes);
    this.answers.push(...answers);
    this.audits.push(...audits);
  }

  #consult(message: Message, home: Address, id: string): void {
    this.#answer(message, home, (stage, tell) => answerByRule(stage, home, id, tell));
  }

  rule(message: Message, home: Address, said: PolicyRuled): void {
    const asked = takeAsked(this.#layer, home, said);
    if (asked) this.#answer(message, home, (stage, tell) => answerByPolicy(stage, home, said, asked, tell));
  }

  /** Lets rules answer. If a rule's answer does not count, or a row is unreadable, the approval is left to a person. */
  #answer(
    message: Message,
    home: Address,
    by: (stage: Stage, tell: (input: Decision | Demanded) => Delivered) => Delivered | undefined,
  ): void {
    const stage = this.#stage(message, home);
    try {
      const answered = this.#layer.attempt(() =>
        by(stage, (input) => checkApprovals(this.#layer, home, deliver(stage, input))),
      );
      if (answered) this.#add(answered);
    } catch (error) {
      if (error instanceof FatalError) throw error;
      if (!(error instanceof Rejection)) this.defect = error;
      this.#reject(home, "rule", error instanceof Error ? error.message : String(error));
    }
  }

  /** Writes a rejection record. A record that cannot be read is left as it is. */
  #record(message: Message, home: Address, id: string): void {
    try {
      this.#layer.attempt(() => {
        recordAnswer(this.#stage(message, home), home, id);
      });
    } catch (error) {
      if (error instanceof FatalError) throw error;
      this.defect = error;
    }
  }

  /** Rejects the turn's message: none of its inputs is applied. */
  turnAway(home: Address, what: string, reason: string): void {
    this.attempts += 1;
    this.reasons.push(reason);
    this.#reject(home, what, reason);
  }

  #stage(message: Message, home: Address): Stage {
    const { workspace, session } = message;
    const { digest, clients } = this.#deps;
    const layer = this.#layer;
    const source = clients.kindOf(message);
    const policy = keptBy(message, policyFor(meta(layer).configuration, sourceOf(layer, home, source)));
    const channel = channelOf(message);
    return { layer, workspace, session, at: this.#entry.at, source, channel, policy, digest };
  }

  #reject(home: Address, what: string, reason: string): void {
    const { position, at } = this.#entry;
    reject(this.#layer, home, { position, at, what, reason });
  }
}

/** I-34: a deadline that fires too early, or that was replaced since, changes nothing. */
function checkAlarm(layer: Layer, input: Input): void {
  if (input.type !== "timer.fired") return;
  const { address, timer } = input;
  // The cast is safe: the engine's own inputs contain addresses that the engine made.
  const spent = spendAlarm(layer, address as Address, input);
  if (spent !== "spent") throw new Rejection(`the deadline ${timer} of ${address} is ${spent}`);
}

/** A session that a person wants forgotten is removed at once: nothing of it is kept for a time. */
const keptBy = (message: Message, policy: Policy): Policy =>
  message.door === "own" && message.said.type === "session.forgotten" ? { ...policy, keepMs: 0 } : policy;

/** The kind of source that first reported the session. It fixes the session's policy for ever. */
function sourceOf(layer: Layer, home: Address, now: string): string {
  const context = actorRow(layer, home)?.snapshot.context as SessionContext | undefined;
  return context?.source ?? now;
}

/** The channel of a message. Each channel's prompts are stored separately, because a transcript reports later than the hooks. */
function channelOf(message: Message): string {
  return message.door === "own" ? "own" : message.type;
}
