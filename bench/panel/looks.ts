// Looks
// What a person does in the panel, each as one figure: opening a view, hearing of a change, moving through what is there.
//
//   Owns:          the steps of each.
//   Does not own:  how often, beside what, which limit (rows/panel).

import type { Page } from "playwright-core";
import type { SignalboxEngine } from "../../adapters/index.ts";
import { callOf, event, LONG } from "./crowd.ts";
import { answeredMs, openingMs, shownAt } from "./browser.ts";

/** By name: the address of a view, and what is there once the view is. */
export const VIEWS = {
  inbox: ["#/", ".card .gist, .empty"],
  overview: ["#/overview", "#sessions-title ~ *, .overview .calls"],
  session: [`#/session/bench/${LONG}`, ".call"],
  machine: [`#/machine/bench/${LONG}/call/${LONG}-7`, ".state.lit"],
} as const;

export type View = keyof typeof VIEWS;

let opened = 0;

/** From the address to the view, ms. */
export function viewMs(page: Page, view: View): Promise<number> {
  const [address, sign] = VIEWS[view];
  opened += 1;
  return openingMs(page, `/?${opened}${address}`, sign);
}

/** Says something, and tells when it was committed, ms of the epoch. */
async function committedAt(
  engine: SignalboxEngine,
  session: string,
  type: string,
  data: object,
): Promise<number> {
  let at = 0;
  const end = engine.engine.onChanges(() => {
    at = performance.timeOrigin + performance.now();
  });
  await engine.send(event(session, [type, data]));
  end();
  return at;
}

export interface Heard {
  readonly page: Page;
  readonly sign: string;
  /** What is said, and the text by which it is known on the page. */
  readonly say: (n: number) => readonly [session: string, type: string, data: object, text: string];
}

const asking = (session: string, requestId: string, n: number) => {
  const call = callOf(requestId, `news${n}`);
  const data = { ...call, approvalId: `${requestId}-news${n}` };
  return [session, "approval.requested", data, call.input.command] as const;
};

export const HEARD: Readonly<Record<"inbox" | "overview" | "session" | "full", Omit<Heard, "page">>> = {
  inbox: { sign: ".card", say: (n) => asking("s0", "r0", n) },
  /** With more approvals than are shown: one of those that are is taken back. */
  full: {
    sign: ".card.gone",
    say: (n) => ["w0", "approval.withdrawn", { approvalId: `w0-${n}` }, `echo w0 ${n}`],
  },
  overview: {
    sign: ".overview tbody tr",
    say: (n) => [`fresh${n}`, "session.started", { title: `Fresh ${n}.` }, `Fresh ${n}.`],
  },
  session: {
    sign: ".call",
    say: (n) => {
      const call = callOf(LONG, `news${n}`);
      return [LONG, "tool.started", call, call.input.command];
    },
  },
};

/** From the commit to the frame that shows it, ms. */
export async function heardMs(
  engine: SignalboxEngine,
  { page, sign, say }: Heard,
  n: number,
): Promise<number> {
  const [session, type, data, text] = say(n);
  const shown = shownAt(page, sign, text);
  const at = await committedAt(engine, session, type, data);
  return Math.max(0, (await shown) - at);
}

/** From a key to the next card's, or the next call's, being the chosen one, ms. */
const nextMs =
  (sign: string) =>
  (page: Page): Promise<number> =>
    answeredMs(
      page,
      `const before = document.querySelector("${sign}[aria-current=true]");
       document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }))`,
      `document.querySelector("${sign}[aria-current=true]") !== before`,
    );

export const nextCardMs = nextMs(".card");
export const nextCallMs = nextMs(".call");

/** From a step of the slider, one moment back, to the page's showing that moment, ms. */
export const momentMs = (page: Page): Promise<number> =>
  answeredMs(
    page,
    `const slider = document.querySelector(".whole-session [role=slider]");
     const before = document.querySelector(".moment").textContent;
     slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))`,
    `document.querySelector(".moment").textContent !== before`,
  );
