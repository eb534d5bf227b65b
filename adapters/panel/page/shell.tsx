// Shell
// The frame around every view: the header with the engine's state, the current view, the keys that act on every view.
//
//   Owns:          the header, choosing the view, the number of pending approvals in the window's title, the focus.
//   Does not own:  what a view shows.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Alarms } from "./alarms.tsx";
import { follow, sessionOf } from "./engine/engine.ts";
import { useSelected, useValue } from "./engine/value.ts";
import { InboxView } from "./inbox/inbox.tsx";
import { type Inbox, inbox, isOpen } from "./inbox/model.ts";
import { isSnoozed, snoozed } from "./inbox/team/snoozed.ts";
import { Undo } from "./inbox/bulk/undo.tsx";
import { LinkState } from "./link.tsx";
import { useKeys } from "./parts/keyboard.ts";
import { later } from "./parts/later.tsx";
import { Rest, type SheetName, SHEETS } from "./rest.tsx";
import { go, hrefOf, outOf, type Route, route } from "./route.ts";
import { Search } from "./search/open.tsx";
import { Troubles } from "./trouble.tsx";

const MachineView = later(async () => (await import("./machine/machine.tsx")).MachineView);
const Overview = later(async () => (await import("./overview/overview.tsx")).Overview);
const AnswersView = later(async () => (await import("./answers/answers.tsx")).AnswersView);
const Rules = later(async () => (await import("./rules/rules.tsx")).Rules);
const SessionPage = later(async () => (await import("./session/session.tsx")).SessionPage);
const LettersView = later(async () => (await import("./letters/letters.tsx")).LettersView);

/** How many approvals wait and are not snoozed. */
function useWaiting() {
  const asleep = useValue(snoozed);
  return useSelected(
    inbox,
    useCallback((held: Inbox) => openIn(held), [asleep]),
  );
}

export function Shell() {
  const at = useValue(route);
  const waiting = useWaiting();
  const link = useValue(follow.link);
  const [sheet, open] = useState<SheetName>();
  const Sheet = sheet && SHEETS[sheet];
  // The view is memoised, so that a number that changes in the header does not redraw the view.
  const current = useMemo(() => <Current at={at} />, [at]);
  const main = useRef<HTMLElement>(null);
  useTitle(at, waiting);
  useFocus(main, at);
  useKeys(
    {
      "1": () => go({ view: "inbox" }),
      "2": () => go({ view: "overview" }),
      "3": () => go({ view: "rules" }),
      "4": () => go({ view: "answers" }),
      "?": () => open("help"),
      n: () => open("notifications"),
      v: () => {
        for (const more of main.current?.querySelectorAll<HTMLElement>("button.more") ?? []) more.click();
      },
      Escape: () => {
        // The page reads its address only when Escape is pressed, so that Escape leaves the view that is shown at that moment.
        const out = outOf(route.get());
        if (out) go(out);
      },
    },
    "shell",
  );
  const skip = (event: Event): void => {
    // In the inbox, the address names the chosen approval, so the link that skips to the content must not replace the address.
    if (at.view === "inbox") event.preventDefault();
    const it = WAITING.map((each) => main.current?.querySelector<HTMLElement>(each)).find(Boolean);
    (it ?? main.current)?.focus();
  };
  return (
    <>
      <header class="bar">
        <a class="unseen" href={hrefOf({ view: "inbox" })} onClick={skip}>
          Skip to what waits
        </a>
        <a class="brand" href={hrefOf({ view: "inbox" })} aria-label="Signalbox">
          <img src="/app/icon.svg" alt="" />
          <span>Signalbox</span>
        </a>
        <nav aria-label="Views">
          {TABS.map(([view, name]) => (
            <a key={view} href={hrefOf({ view })} aria-current={view === at.view ? "page" : undefined}>
              {name} {view === "inbox" && waiting > 0 && <span class="count">{waiting}</span>}
            </a>
          ))}
        </nav>
        <Search />
        <Alarms />
        <Rest open={open} />
        <LinkState link={link} />
      </header>
      <main ref={main} tabIndex={-1}>
        {current}
      </main>
      <Undo />
      <Troubles link={link} />
      {Sheet && <Sheet onClose={() => open((now) => (now === sheet ? undefined : now))} />}
    </>
  );
}

/**
 * A view's name in the window's title. The inbox has none; in place of a session's or machine's name stands the session's title.
 */
const NAMES: Readonly<Record<Route["view"], string | undefined>> = {
  inbox: undefined,
  overview: "Overview",
  rules: "Rules",
  answers: "Answers",
  letters: "Dead letters",
  session: undefined,
  machine: undefined,
};

/** Where the link "Skip to what waits" leads: to the chosen approval, else to the first pending one. */
const WAITING = [".card[aria-current=true]", ".card.open h2 button"];

const TABS = [
  ["inbox", "Inbox"],
  ["overview", "Overview"],
  ["rules", "Rules"],
  ["answers", "Answers"],
] as const;

/** Sets the window's title. The number of pending approvals comes first, because a narrow tab shows only the beginning. */
function useTitle(at: Route, open: number): void {
  const [name, setName] = useState("");
  const [workspace, session] = "session" in at ? [at.workspace, at.session] : [];
  useEffect(() => {
    setName(NAMES[at.view] ?? "");
    if (workspace === undefined || session === undefined) return;
    let isShown = true;
    sessionOf(workspace, session).then(
      ({ title }) => isShown && setName(title ?? session),
      () => isShown && setName(session),
    );
    return () => {
      isShown = false;
    };
  }, [at.view, workspace, session]);
  useEffect(() => {
    const whose = name === "" ? "Signalbox" : `${name} – Signalbox`;
    document.title = open > 0 ? `(${open}) ${whose}` : whose;
  }, [open, name]);
}

/** Moves the focus into a new view if the focused element went with the old one: else Tab would start at the top of the page. */
function useFocus(main: { readonly current: HTMLElement | null }, at: Route): void {
  const before = useRef(at);
  useEffect(() => {
    if (before.current === at) return;
    before.current = at;
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [at]);
}

const openIn = ({ cards }: Inbox): number => cards.filter((card) => isOpen(card) && !isSnoozed(card)).length;

function Current({ at }: { readonly at: Route }) {
  switch (at.view) {
    case "inbox":
      return <InboxView {...at} />;
    case "overview":
      return <Overview />;
    case "rules":
      return <Rules />;
    case "answers":
      return <AnswersView />;
    case "letters":
      return <LettersView />;
    case "session":
      return <SessionPage key={`${at.workspace}/${at.session}`} {...at} />;
    case "machine":
      return <MachineView key={`${at.workspace}/${at.session}/${at.kind}/${at.id}`} {...at} />;
  }
}
