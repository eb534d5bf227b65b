// Input attempts
// Applies the inputs of a turn's messages one after another, and records whether each input was applied or rejected.
//
//   Owns:          making one attempt for each input, and undoing the whole attempt if the input is rejected.
//   Does not own:  which messages a turn applies (turn, hold-back), delivery to actors (delivery).
//
// INPUT-ATTEMPTS-1. A rejected input changes nothing except that the session's ledger gets a rejection record (rows/ledger),
//     and that a deadline whose firing was rejected does not fire again. The other inputs are not affected.

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
  code: string | undefined;
  defect: unknown;
  /** True if an approval was rejected because its session is closed to approvals. */
  isClosed = false;
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
   * Applies messages that can be applied now.
   * @param own the message of this turn, with its inputs, which were translated before.
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
      // If this version's translator refuses a message that an older version's translator accepted, the message is set aside.
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
        for (const id of askedIn(delivered.changes))
          this.#answer(message, home, (stage, tell) => answerByRule(stage, home, id, tell));
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

  rule(message: Message, home: Address, said: PolicyRuled): void {
    const asked = takeAsked(this.#layer, home, said);
    if (asked) this.#answer(message, home, (stage, tell) => answerByPolicy(stage, home, said, asked, tell));
  }

  /** Lets rules answer an approval. If a rule's answer does not count, or a row is unreadable, a person must answer. */
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

  /** Counts how dry rules would have answered an approval. A row that cannot be read is not changed. */
  #record(message: Message, home: Address, id: string): void {
    try {
      this.#layer.attempt(() => recordAnswer(this.#stage(message, home), home, id));
    } catch (error) {
      if (error instanceof FatalError) throw error;
      this.defect = error;
    }
  }

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
    const isUnbound = message.door === "in" && message.isUnbound === true;
    return { layer, workspace, session, at: this.#entry.at, source, channel, policy, digest, isUnbound };
  }

  #reject(home: Address, what: string, reason: string): void {
    const { position, at } = this.#entry;
    reject(this.#layer, home, { position, at, what, reason });
  }
}

/** I-34: rejects the firing of a deadline that fires too early, or that was replaced in the meantime. */
function checkAlarm(layer: Layer, input: Input): void {
  if (input.type !== "timer.fired") return;
  const { address, timer } = input;
  // The cast is safe: the engine's own inputs contain addresses that the engine made.
  const spent = spendAlarm(layer, address as Address, input);
  if (spent !== "spent") throw new Rejection(`the deadline ${timer} of ${address} is ${spent}`);
}

/**
 * The settings (`Policy`: deadlines, and how long actors are kept) for a message's session. If a person wants the session
 * forgotten, its actors are removed immediately.
 */
const keptBy = (message: Message, policy: Policy): Policy =>
  message.door === "own" && message.said.type === "session.forgotten" ? { ...policy, keepMs: 0 } : policy;

/** The kind of source that first reported the session. It decides for ever which settings (`Policy`) the session has. */
function sourceOf(layer: Layer, home: Address, now: string): string {
  const context = actorRow(layer, home)?.snapshot.context as SessionContext | undefined;
  return context?.source ?? now;
}

/** The channel of a message. Each channel's prompts are stored separately, because a transcript reports later than the hooks. */
function channelOf(message: Message): string {
  return message.door === "own" ? "own" : message.type;
}
