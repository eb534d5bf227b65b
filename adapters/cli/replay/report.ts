// Replay report
// Reports the final state of every request and call in the sessions that a replay has played.
//
//   Owns:          reading the states from the engine, the table of states, the summary line.
//   Does not own:  the words for states and causes (wording.ts).

import {
  type CallAnswer,
  callAnswer,
  type RequestAnswer,
  requestAnswer,
  type SessionAnswer,
  sessionAnswer,
} from "../answers.ts";
import { type Client, succeeded } from "../client.ts";
import { table } from "../output/table.ts";
import { causeOfCall, countsOf, nameOfSession, plural, stateOfRequest } from "../wording.ts";
import type { SessionName } from "./envelope.ts";

export interface SessionReport {
  readonly session: SessionAnswer;
  readonly requests: readonly RequestAnswer[];
  readonly calls: readonly CallAnswer[];
}

export async function reportOf(
  client: Client,
  { workspace, session }: SessionName,
): Promise<SessionReport | undefined> {
  const path = `/v1/sessions/${session}`;
  const found = await client.send("GET", path, { query: { workspace } });
  if (found.status === 404) return undefined;
  const requests = await client.list("/v1/requests", requestAnswer, { workspace, session });
  const calls = await client.list(`${path}/tool-calls`, callAnswer, { workspace });
  return {
    session: sessionAnswer.parse(succeeded(found).body),
    requests: [...requests].reverse(),
    calls: [...calls].reverse(),
  };
}

export function tableOf({ session, requests, calls }: SessionReport, columns: number): string {
  const rows = requests.flatMap((request) => [
    [request.requestId, "", stateOfRequest(request), request.error ?? ""],
    ...calls
      .filter((call) => call.requestId === request.requestId)
      .map((call) => [`  ${call.id}`, call.tool, call.execution, causeOfCall(call)]),
  ]);
  return `${nameOfSession(session)}\n\n${table(["REQUEST, CALL", "TOOL", "STATE", "CAUSE"], rows, columns)}\n`;
}

export function summaryOf(reports: readonly SessionReport[]): string {
  const requests = reports.flatMap((report) => report.requests);
  const calls = reports.flatMap((report) => report.calls);
  const count = (noun: string, states: readonly string[]): string =>
    `${plural(states.length, noun)}${states.length > 0 ? `: ${countsOf(states)}` : ""}`;
  return [
    plural(reports.length, "session"),
    count("request", requests.map(stateOfRequest)),
    count(
      "call",
      calls.map(({ execution }) => execution),
    ),
  ].join(" · ");
}
