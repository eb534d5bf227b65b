// A suggested week
// A new user's story: a week of questions is answered, one suggestion is taken, and the next day's questions are counted.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Suggestion, Suggestions } from "../../runtime/reading/suggesting/suggestions.ts";
import { event, serve, type Served, TOKEN } from "../support/http/served.ts";
import { START_MS } from "../support/suggestions/history.ts";
import { type Question, teamOf } from "../support/suggestions/teams.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const SHOP = "shop";
const PEOPLE = ["local:ann", "local:bob", "local:cyd", "local:dee"];
const tokenOf = (by = ""): string => `token-of-${by}`;
/** 900 questions are asked and answered by HTTP. */
const WITHIN_MS = 180_000;
/** One of those that the evaluation counts. */
const SEED = 203;

const byTime = (questions: readonly Question[]): readonly Question[] =>
  questions.toSorted((one, other) => one.at - other.at);

interface Day {
  /** What a person had to answer. */
  readonly asked: number;
  /** Allowed by a rule. */
  readonly answered: readonly Question[];
}

describe("a week of answers, and the day after it", () => {
  const { projects, weeks } = teamOf(SEED);
  const [project] = projects;
  const [first = [], second = []] = weeks.map((week) => week.filter(({ cwd }) => cwd === project));
  const week = byTime(first);
  const monday = byTime(second.filter(({ at }) => at < START_MS + 8 * DAY_MS));
  let served: Served;
  let count = 0;

  beforeAll(async () => {
    const tokens = PEOPLE.map((name) => ({ name, token: tokenOf(name) }));
    served = await serve({ place: { tokens: [...tokens, { name: "http:hooks", token: TOKEN }] } });
  });
  afterAll(() => served.stop());

  const body = async <T>(answer: Promise<{ status: number; body: unknown }>): Promise<T> => {
    const { status, body: said } = await answer;
    expect([status, said]).toEqual([200, said]);
    return said as T;
  };

  /** Asks, and answers as that person would, unless a rule did. @returns who answered. */
  async function play({ tool, input, session, cwd, answer, by }: Question, run: string): Promise<string> {
    count += 1;
    const [subject, requestId, id] = [`${SHOP}/${run}-${session}`, `r${count}`, `q${count}`];
    const call = { requestId, toolUseId: `t${count}`, tool, input };
    const events = [
      ["session.started", { cwd }],
      ["request.created", { requestId }],
      ["request.processing", { requestId }],
      ["tool.announced", call],
      ["approval.requested", { ...call, approvalId: id }],
    ] as const;
    await body(
      served.post(
        "/v1/events",
        events.map(([type, data]) => event(type, data, { subject })),
      ),
    );
    const { state, inputHash, ...ruled } = await body<{ state: string; inputHash: string; by?: string }>(
      served.get(`/v1/approvals/${id}`),
    );
    const decision = answer === "denied" ? "deny" : "approve";
    const as = { Authorization: `Bearer ${tokenOf(by)}` };
    if (state === "pending")
      await body(served.post(`/v1/approvals/${id}/decision`, { decision, inputHash }, as));
    await body(served.post("/v1/events", event("request.completed", { requestId }, { subject })));
    return ruled.by ?? by ?? "";
  }

  /** The same calls at the same hours of a later day. */
  async function playDay(day: number): Promise<Day> {
    const answered: Question[] = [];
    for (const question of monday) {
      const at = question.at + (day - 7) * DAY_MS;
      served.clock.advance(Math.max(0, at - served.clock.now()));
      const by = await play(question, `day-${day}`);
      if (by.startsWith("rule:")) answered.push(question);
      else expect(by).toBe(question.by);
    }
    return { asked: monday.length - answered.length, answered };
  }

  async function take({ rule: { match, ...rule } }: Suggestion): Promise<void> {
    const said = match?.kind === "exact" ? { kind: match.kind, inputHash: match.inputHash } : match;
    await body(served.post("/v1/rules", { workspace: SHOP, ...rule, ...(said && { match: said }) }));
  }

  test(
    "SUGGESTIONS-1, SUGGESTIONS-2, RULING-4: with the first suggestion taken fewer questions come, with all fewer still, nothing is allowed that a person denies, and it ends",
    async () => {
      for (const question of week) {
        served.clock.advance(Math.max(0, question.at - served.clock.now()));
        expect(await play(question, "week")).toBe(question.by);
      }
      expect(week.length).toBeGreaterThan(100);
      expect(week.some(({ answer }) => answer === "denied")).toBe(true);

      const suggested = (): Promise<Suggestions> =>
        body(served.get(`/v1/rules/suggestions?workspace=${SHOP}&limit=25`));
      const { items } = await suggested();
      const [best, ...others] = items;
      if (!best) throw new Error("Nothing is suggested.");
      expect(best.trial).toMatchObject({ asked: week.length, differing: 0, allow: best.evidence.answers });

      const without = await playDay(7);
      expect(without).toEqual({ asked: monday.length, answered: [] });

      await take(best);
      const withFirst = await playDay(8);
      for (const other of others) await take(other);
      const withAll = await playDay(9);
      expect(withFirst.asked).toBeLessThan(without.asked);
      expect(withAll.asked).toBeLessThan(withFirst.asked);
      for (const { answered } of [withFirst, withAll])
        expect(answered.filter(({ answer }) => answer === "denied")).toEqual([]);

      served.clock.advance(31 * DAY_MS);
      const [again] = withFirst.answered;
      if (!again) throw new Error("The first suggestion answered nothing.");
      expect(await play(again, "later")).toBe(again.by);
    },
    WITHIN_MS,
  );
});
