// Telling
// Prints which approvals came, changed or are no longer pending: on a screen, in lines, or as JSON.
//
//   Owns:          the choice between screen, lines and JSON for the output, the bell.
//   Does not own:  which news is reported (follow.ts), the words about an approval (approval/text.ts).

import { drawing } from "../output/drawing.ts";
import type { Context } from "../command.ts";
import { reasonText, reasonOf } from "../failures/failure.ts";
import { tonedLines } from "../approval/risk-text.ts";
import { described, isShared, leavingOf, moreIn, jsonOf } from "../approval/text.ts";
import type { Telling } from "./follow.ts";
import type { WaitingList } from "./list.ts";

const LOST = "The connection is lost. Trying again.";

/**
 * Prints one JSON line for each change: `waits` for approvals pending at the start; later `asked`, `left`, and `changed` for
 * further news.
 */
export function inJson({ terminal }: Context, url: string): Telling {
  return {
    came: (shown, isNew) => terminal.json({ change: isNew ? "asked" : "waits", ...jsonOf(shown) }),
    changed: (shown) => terminal.json({ change: "changed", ...jsonOf(shown) }),
    left: (approval) => terminal.json({ change: "left", ...approval }),
    ...notices({ terminal }, url),
  };
}

export function inText(
  context: Context,
  { list, url, rings, signal }: { list: WaitingList; url: string; rings: boolean; signal: AbortSignal },
): Telling {
  const { terminal, now } = context;
  const { isScreen } = terminal;
  let isLost = false;
  const screen = isScreen
    ? drawing(() => list.frame(terminal.size, now(), isLost), terminal, signal)
    : undefined;
  signal.addEventListener("abort", () => {
    if (isScreen) terminal.draw([]);
  });
  const told = (text: string): void => {
    terminal.out(tonedLines(text));
    screen?.touch();
  };
  const noticed = notices(context, url);
  return {
    came(shown, isNew) {
      const columns = isScreen ? terminal.size.columns : Infinity;
      const look = { now: now(), columns, hasCommands: true, isShared: isShared(shown, list.all) };
      told(`${described(shown, look)}\n`);
      if (isNew && rings) terminal.bell();
    },
    changed: (shown, more) =>
      told(moreIn(shown, { ...more, now: now(), isShared: isShared(shown, list.all) })),
    left: (approval) => told(leavingOf(approval)),
    ready() {
      isLost = false;
      if (!screen) noticed.ready();
      screen?.touch();
    },
    lost() {
      isLost = true;
      if (!screen) noticed.lost();
      screen?.touch();
    },
    failed: noticed.failed,
  };
}

/** Prints notices on standard error, so that a program finds only approvals on standard output. */
function notices(
  { terminal }: Pick<Context, "terminal">,
  url: string,
): Pick<Telling, "ready" | "lost" | "failed"> {
  let isLost = false;
  let isFirst = true;
  return {
    ready() {
      if (isFirst) terminal.err(`Following the approvals of ${url}. End with Ctrl-C.`);
      else if (isLost) terminal.err("The engine answers again.");
      isFirst = isLost = false;
    },
    lost() {
      if (!isLost) terminal.err(LOST);
      isLost = true;
    },
    failed: (failure) => terminal.err(reasonText(reasonOf(failure))),
  };
}
