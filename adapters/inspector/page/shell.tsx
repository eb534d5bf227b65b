// Shell
// What stands around every view: where one is, how the engine is, the keys.
//
//   Owns:          the header, choosing the view, the count in the window's title.
//   Does not own:  the views.

import { useEffect, useState } from "preact/hooks";
import { follow } from "./engine/engine.ts";
import type { Link } from "./engine/follow.ts";
import { useValue } from "./engine/value.ts";
import { InboxView } from "./inbox/inbox.tsx";
import { inbox, isOpen } from "./inbox/model.ts";
import { NotifyButton } from "./inbox/notify.tsx";
import { MachineView } from "./machine/machine.tsx";
import { Overview } from "./overview/overview.tsx";
import { Help } from "./parts/help.tsx";
import { useKeys } from "./parts/keyboard.ts";
import { go, hrefOf, type Route, route } from "./route.ts";
import { SessionPage } from "./session/session.tsx";

export function Shell() {
  const at = useValue(route);
  const open = useValue(inbox).cards.filter(isOpen).length;
  const link = useValue(follow.link);
  const [isHelping, help] = useState(false);
  useEffect(() => {
    document.title = open > 0 ? `(${open}) Signalbox` : "Signalbox";
  }, [open]);
  useKeys({
    "1": () => go({ view: "inbox" }),
    "2": () => go({ view: "overview" }),
    "?": () => help(!isHelping),
    Escape: () => (isHelping ? help(false) : go({ view: "inbox" })),
  });
  return (
    <>
      <header class="bar">
        <a class="brand" href={hrefOf({ view: "inbox" })}>
          Signalbox
        </a>
        <nav aria-label="Views">
          <Tab to={{ view: "inbox" }} at={at}>
            Inbox {open > 0 && <span class="count">{open}</span>}
          </Tab>
          <Tab to={{ view: "overview" }} at={at}>
            Overview
          </Tab>
        </nav>
        <NotifyButton />
        <button type="button" class="plain" aria-label="Keys" onClick={() => help(true)}>
          ?
        </button>
        <LinkState link={link} />
      </header>
      {link === "signed-out" && (
        <p class="failure banner" role="alert">
          You are signed out: your token counts no longer. Open the link that `signalbox up` prints, or the
          one with your own token.
        </p>
      )}
      <main>
        <Current at={at} />
      </main>
      {isHelping && <Help onClose={() => help(false)} />}
    </>
  );
}

function Current({ at }: { readonly at: Route }) {
  switch (at.view) {
    case "inbox":
      return <InboxView />;
    case "overview":
      return <Overview />;
    case "session":
      return <SessionPage key={`${at.workspace}/${at.session}`} {...at} />;
    case "machine":
      return <MachineView key={hrefOf(at)} {...at} />;
  }
}

interface TabProps {
  readonly to: Route;
  readonly at: Route;
  readonly children: preact.ComponentChildren;
}

function Tab({ to, at, children }: TabProps) {
  return (
    <a href={hrefOf(to)} aria-current={to.view === at.view ? "page" : undefined}>
      {children}
    </a>
  );
}

const LINKS: Readonly<Record<Link, string>> = {
  connecting: "connecting…",
  live: "live",
  lost: "the engine is away; trying again",
  "signed-out": "signed out",
};

function LinkState({ link }: { readonly link: Link }) {
  return (
    <span class={`link ${link}`} role="status">
      {LINKS[link]}
    </span>
  );
}
