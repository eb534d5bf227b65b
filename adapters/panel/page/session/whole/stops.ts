// Stops
// The stops on a session's line of time, at which a person can point: requests, groups of calls, and pauses.
//
//   Owns:          which stops the line of time has, the words and the link of each stop.
//   Does not own:  when something happened (happened.ts), where a moment is on the line (spread.ts), drawing (strip.tsx).
//
// STOPS-1. The line of time has at most one stop for calls in each column of pixels, however many calls there are.

import { defined } from "../../../../../machines/defined.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { duration } from "../../parts/time.tsx";
import { labelOf } from "../../parts/words.ts";
import { grouped, rowsOf, type Some } from "../model.ts";
import { type Band, type Happened, isOpen, type Mark } from "./happened.ts";
import { placeOf, type Stretch } from "./spread.ts";

export const COLUMN_PX = 3;

export interface Stop {
  readonly kind: "request" | "calls" | "wait" | "pause";
  readonly x: number;
  readonly width: number;
  readonly look: string;
  readonly count: number;
  /** Where the longest call of the stop ends, px. */
  readonly until?: number;
  readonly words: () => string;
  readonly request?: string;
  readonly call?: string;
  /** The ids of all calls in this column. */
  readonly calls?: ReadonlySet<string>;
}

export function stopsOf(happened: Happened, stretches: readonly Stretch[]): readonly Stop[] {
  const place = (time: number): number => placeOf(stretches, time);
  const stops = [
    ...stretches.filter(({ kind, isShort }) => isShort && kind !== "run").map(pauseStop),
    ...bandStops(happened.bands, place),
    ...callStops(happened.marks, place),
    ...waitStops(happened, place),
  ];
  return stops.sort((a, b) => a.x - b.x || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

const KINDS = ["pause", "request", "calls", "wait"] as const;
type Place = (time: number) => number;

const pauseStop = ({ from, to, kind, x, width }: Stretch): Stop => ({
  ...{ kind: "pause", look: kind, x, width, count: 1 },
  words: () => {
    const what = kind === "unread" ? "Earlier calls are not loaded" : "No request ran";
    return `${timeOf(from)}: ${what} for ${duration(to - from)}`;
  },
});

/** Makes one stop of all requests that begin in the same column. */
function bandStops(bands: readonly Band[], place: Place): readonly Stop[] {
  return byColumn(bands, place).map(([x, own]) => {
    const [first] = own;
    const right = Math.max(...own.map(({ to }) => place(to)));
    const call = first.row.batches[0]?.rows[0]?.call.id;
    return {
      ...{ kind: "request", x, width: Math.max(COLUMN_PX - 1, right - x), look: lookOfBands(own) },
      ...{ count: own.length, request: first.row.request.requestId },
      ...defined({ call }),
      words: () =>
        own.length === 1 ? wordsOfBand(first) : `${wordsOfBand(first)} · and ${own.length - 1} more`,
    };
  });
}

function wordsOfBand({ row, from, to }: Band): string {
  const { prompt, requestId } = row.request;
  const took = isOpen(row) ? `for ${duration(to - from)} so far` : `took ${duration(to - from)}`;
  return `${timeOf(from)}: request “${shortened(prompt ?? requestId)}”, ${labelOf(stateOfBand(row))}, ${took}`;
}

const stateOfBand = ({ request: { state, waiting } }: Band["row"]): string => (waiting ? "waiting" : state);

function lookOfBands(bands: readonly Band[]): string {
  const found = lookOf(
    bands.map(({ row }) => stateOfBand(row)),
    ["waiting", "processing", "failed", "timeout", "missing-post", "completed"],
  );
  return found === "timeout" ? "failed" : found;
}

/** The gravest look that one of the states has; `other` if none has one. @param looks the gravest first. */
const lookOf = (states: readonly string[], looks: readonly string[]): string =>
  looks.find((each) => states.includes(each)) ?? "other";

/** Makes one stop of all calls that begin in the same column (STOPS-1). */
function callStops(marks: readonly Mark[], place: Place): readonly Stop[] {
  return byColumn(marks, place).map(([x, own]) => {
    const told = own.find(({ isAsking }) => isAsking) ?? own[0];
    return {
      ...{ kind: "calls", x, width: COLUMN_PX - 1, look: lookOfCalls(own), count: own.length },
      ...{ request: told.band.row.request.requestId, call: told.call.id },
      calls: new Set(own.map(({ call }) => call.id)),
      until: Math.max(...own.map(({ to }) => place(to))),
      words: () => (own.length === 1 ? wordsOfCall(told) : wordsOfCalls(own)),
    };
  });
}

function wordsOfCall({ call, isAsking, from }: Mark): string {
  const about = gistOf(call.input, call.tool);
  const took = call.closedAt === undefined ? "" : `, ${duration(call.durationMs ?? call.closedAt - from)}`;
  const state = isAsking ? "Waiting for you" : labelOf(call.execution);
  return `${timeOf(from)}: ${call.tool} ${shortened(about)} · ${state}${took}`;
}

function wordsOfCalls(marks: readonly Mark[]): string {
  const counts = new Map<string, number>();
  for (const { call, isAsking } of marks) {
    const state = labelOf(isAsking ? "pending" : call.execution);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const states = Array.from(counts, ([state, count]) => `${count.toLocaleString()} ${state.toLowerCase()}`);
  const times = marks.map(({ from }) => from);
  const [first, last] = [Math.min(...times), Math.max(...times)].map(timeOf);
  const when = first === last ? first : `${first}–${last}`;
  return `${when}: ${marks.length.toLocaleString()} calls · ${states.join(", ")}`;
}

function lookOfCalls(marks: readonly Mark[]): string {
  if (marks.some(({ isAsking }) => isAsking)) return "waiting";
  return lookOf(
    marks.map(({ call }) => call.execution),
    ["failed", "denied", "missing-post", "processing", "completed"],
  );
}

function waitStops({ waits, bands }: Happened, place: Place): readonly Stop[] {
  const requests = new Map(
    bands.flatMap(({ row }) =>
      rowsOf(row).map(({ call }) => [String(call.id), row.request.requestId] as const),
    ),
  );
  return byColumn(waits, place).map(([x, own]) => {
    const first = own.find((each) => each.isOpen) ?? own[0];
    const { call, from, to } = first;
    const request = call === undefined ? undefined : requests.get(call);
    const right = Math.max(...own.map((each) => place(each.to)));
    return {
      ...{ kind: "wait", x, width: Math.max(COLUMN_PX - 1, right - x), look: "waiting", count: own.length },
      ...(request !== undefined && { request, ...defined({ call }) }),
      words: () => {
        const who = own.length === 1 ? "a question" : `${own.length.toLocaleString()} questions, the first`;
        return `${timeOf(from)}: ${who} waited ${duration(to - from)}${first.isOpen ? " so far" : ""} for an answer`;
      },
    };
  });
}

/** Groups items by the column of the line in which they begin. */
function byColumn<T extends { readonly from: number }>(
  all: readonly T[],
  place: Place,
): readonly (readonly [number, Some<T>])[] {
  const columns = grouped(all, ({ from }) => Math.floor(place(from) / COLUMN_PX) * COLUMN_PX);
  return [...columns].sort(([a], [b]) => a - b);
}

const TEXT_MAX = 80;
const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > TEXT_MAX ? `${line.slice(0, TEXT_MAX)}…` : line;
};

const timeOf = (at: number): string => new Date(at).toLocaleTimeString();
