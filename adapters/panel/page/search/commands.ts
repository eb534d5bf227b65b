// Commands
// The commands that the search offers besides its results: opening each view, and actions that also have a key.
//
//   Owns:          the names of the commands, and other words by which the search finds them.
//   Does not own:  what a command does (each view).

import { choose } from "../theme/theme.tsx";
import { signOut } from "../engine/me.ts";
import { go, type Route, route } from "../route.ts";

export interface Command {
  readonly name: string;
  /** Other words by which the command is found. */
  readonly also: string;
  readonly key?: string;
  readonly run: () => void;
}

const press = (key: string) => (): void => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
};

const goTo = (to: Route) => (): void => go(to);

const ALWAYS: readonly Command[] = [
  { name: "Go to the inbox", also: "approvals waiting", key: "1", run: goTo({ view: "inbox" }) },
  { name: "Go to the overview", also: "sessions requests charts", key: "2", run: goTo({ view: "overview" }) },
  { name: "Go to the rules", also: "allow deny suggest", key: "3", run: goTo({ view: "rules" }) },
  {
    name: "Go to the answers",
    also: "stats figures history waits",
    key: "4",
    run: goTo({ view: "answers" }),
  },
  { name: "Go to the dead letters", also: "refused retry", run: goTo({ view: "letters" }) },
  { name: "Set notifications", also: "alert sound", key: "n", run: press("n") },
  { name: "Theme: light", also: "colour bright", run: () => choose("light") },
  { name: "Theme: dark", also: "colour night", run: () => choose("dark") },
  { name: "Theme: as the system", also: "colour", run: () => choose("system") },
  { name: "Sign out", also: "leave log out browser", run: signOut },
  { name: "Show the keyboard shortcuts", also: "keys help", key: "?", run: press("?") },
];

/** The commands that contain every word. @param words the words that a person typed into the search, in lower case. */
export function commandsFor(words: readonly string[]): readonly Command[] {
  return [...here(route.get()), ...ALWAYS].filter(({ name, also }) => {
    const text = `${name} ${also}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function here(at: Route): readonly Command[] {
  if (at.view !== "session") return [];
  const { workspace, session } = at;
  const machine = { view: "machine", workspace, session, kind: "session", id: session } as const;
  return [{ name: "Show this session’s state diagram", also: "machine statechart", run: goTo(machine) }];
}
