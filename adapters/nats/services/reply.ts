// Reply
// Sends the replies to requests over NATS.
//
//   Owns:          the headers of an answer and of an error; where an answer may be sent.
//   Does not own:  what a reply contains (runtime).
//
// SERVICES-REPLY-1. An answer is sent only to an inbox, never to a subject of Signalbox or of the server, or to a subject with
//     wildcards. So no sender can make the engine publish what the sender may not publish.
// SERVICES-REPLY-2. An error is written both into the headers, for clients that read only headers, and into the body, as over
//     HTTP.

import type { Msg } from "nats";
import { headersWith } from "../connect.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { failureOf } from "../../../runtime/errors/failure.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";

export type Asked = Pick<Msg, "subject" | "data" | "reply" | "respond">;

const REPLY = /^[^\s.*>$\p{Cc}][^\s*>\p{Cc}]{0,255}$/u;

/** True if the sender waits for an answer at an allowed subject. */
export const mayAnswer = ({ reply = "" }: Asked): boolean => REPLY.test(reply) && !subjects.isOurs(reply);

/** True if the sender asks for an answer at a forbidden subject. */
export const isMisled = (asked: Asked): boolean => (asked.reply ?? "") !== "" && !mayAnswer(asked);

export const badReply = (): RefusedError =>
  new RefusedError(
    "BAD_REPLY",
    "The reply subject is not an inbox.",
    "Send the query with an inbox as its reply subject.",
    "reply",
  );

export function answer(asked: Asked, body: Uint8Array, said: Readonly<Record<string, string>> = {}): void {
  if (mayAnswer(asked))
    asked.respond(body, { headers: headersWith(Object.entries({ ...JSON_BODY, ...said })) });
}

/** @param extra fields that the answer has beside the error. */
export function answerFailure(asked: Asked, cause: unknown, extra: object = {}): void {
  const { status, error, retryAfterS, body } = failureOf(cause);
  answer(asked, encode({ ...extra, ...body }), {
    "Nats-Service-Error": oneLine(error.message),
    "Nats-Service-Error-Code": String(status),
    ...(retryAfterS !== undefined && { "Retry-After": String(retryAfterS) }),
  });
}

const JSON_BODY = { "Content-Type": "application/json" };
const ERROR_CHARACTERS_MAX = 512;

export const encode = (body: object): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

/** The text as one line of a header: a text that repeats what the sender sent could otherwise end the header. */
const oneLine = (text: string): string =>
  text
    .slice(0, ERROR_CHARACTERS_MAX)
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim();
