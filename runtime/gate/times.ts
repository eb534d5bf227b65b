// Times
// How long each step around the gate takes at most, for the engine and for whoever asks it, and why.
//
//   Owns:          the times, in ms.
//   Does not own:  the waiting (wait-for), what is done when a time is over.
//
// TIMES-1. An asker that lives asks again before its lease ends.
// TIMES-2. Of two that wait for one another, the engine ends first: its word is heard before the asker gives it up.

/** How long an asker is taken to be there, by what it did last. */
export interface Terms {
  readonly asked: number;
  readonly waited: number;
  readonly hungUp: number;
}

export const LEASE_MS = {
  /** Hooks and the client's other doors. */
  client: {
    asked: 3_000, // One that was acknowledged begins to wait.
    waited: 10_000, // Nothing shows that one which was told "not yet" is gone: it may stand still itself.
    hungUp: 750, // One that lives asks again sooner than this after it lost a connection.
  },
  /** Services ask again and again, with pauses: nothing but that shows that they are there. */
  service: { asked: 15_000, waited: 15_000, hungUp: 15_000 },
  restart: 15_000, // Whoever waited when the engine ended comes back as soon as it starts.
  read: 50, // What lies in the sockets of an engine that stood still is read within this.
} as const;

/** The engine's own patience. */
export const GATE_MS = {
  most: 86_400_000, // A day: no question waits longer, and no answer is told of later.
  service: 600_000, // What a service waits that does not say how long.
  answer: 25_000, // One request for an answer, whatever it asks for: less than proxies and clients allow.
  hook: 1_500, // Before the client's own patience ends, which the README's settings give two seconds.
  earlier: 500, // What lies before a question is waited for no longer than this.
  told: 250, // What hooks said of the call is in the journal by now, and on disk within this.
  left: 2_000, // At a start, what hooks left behind is taken before anyone decides anew, unless that is very much.
  look: 250, // How often the processes of clients are looked at.
  slack: 2_000, // A start is known to the second, and files to their own clock's tick.
} as const;

/** The patience of hooks and other doors with the engine. */
export const ASKER_MS = {
  spare: 5_000, // What is left of the client's own time-out when the gate answers.
  acknowledged: 2_000, // A question that no engine took by then is answered here.
  poll: 20_000, // The engine says after this long that there is no answer yet.
  silent: 10_000, // One that has not said even that stands still.
  earlier: 1_000, // The engine gives up this much earlier: its word comes before ours.
  again: [50, 100, 200, 400], // Pauses before it asks again: below LEASE_MS.client.hungUp.
  look: 500, // How often a hook looks whether its client is still there.
  leave: 500, // An engine that does not answer hears of it by the closed connection.
  passedOn: 50, // The word that the answer was passed on leaves within this, or not at all: the process ends.
  taken: 2_000, // The same from a process that goes on.
  tell: 5_000, // One try to tell what was answered without the engine.
  tellAgain: [500, 1_000, 2_000, 5_000, 15_000, 30_000], // Pauses between those tries: the engine may be starting.
  tellFor: 3_600_000, // After that nobody looks for the answer; its deadline ends it.
} as const;
