// Told
// Passes what the engine reports (defects, poison, warnings, a clock that jumped) to the log, the counters and the callbacks,
// and the engine's changes to the log and the notifying commands.
//
//   Owns:          which part gets which report.
//   Does not own:  the reports (runtime), the lines of the log (log), the text of the metrics (http).

import type { EngineOptions } from "../../runtime/engine/engine-options.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { EngineSettings } from "../../runtime/engine-settings.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { TroubleNews } from "../../runtime/errors/trouble-watch.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import type { Log } from "../log/index.ts";
import { Notifier } from "../notify/index.ts";

interface Callbacks {
  readonly onPoison?: (position: number) => void;
  readonly onClock?: (message: string, next: string) => void;
}

export interface Told {
  readonly options: Pick<EngineOptions, "onDefect" | "onMigrating" | "onPoison" | "onWarning" | "onClock">;
  counts(): Readonly<Record<string, number>>;
}

export function toldTo({ onPoison, onClock }: Callbacks, log: Log): Told {
  let warnings = 0;
  return {
    options: {
      onDefect: (error, position) => log.defect(error, position),
      onMigrating: (migrating) => log.migrating(migrating),
      onPoison(position) {
        log.poison(position);
        onPoison?.(position);
      },
      onWarning(warning, position) {
        warnings += 1;
        log.warned?.(warning, position);
      },
      onClock: ({ message, next }) => onClock?.(message, next),
    },
    counts: () => ({ signalbox_warnings_total: warnings }),
  };
}

/** Makes a function for errors that end the engine: it logs the first one, passes it to `onFatal`, and ignores later ones. */
export function loggedOnce(log: Log, onFatal: (error: Error) => void): (error: Error) => void {
  let told = false;
  return (error) => {
    if (told) return;
    told = true;
    log.fatal(error);
    onFatal(error);
  };
}

/** The listeners that tell users of changes: the log, and the user's command. */
export function listenersOf(
  { notifyCommand: command }: EngineSettings,
  { engine, queries, clock }: { engine: Engine; queries: Queries; clock: Clock },
  log: Log,
): Notifier | undefined {
  const { request } = log;
  // S1.39 (docs/why/requirements.md): the log gets a line for each request that is created or changes its state.
  if (request) engine.onChanges((changes) => changes.forEach(request));
  if (command === undefined) return undefined;
  return new Notifier({ engine, queries, clock, command, onFailing: (why) => log.notifyFailing(why) });
}

export const toldIn = (log: Log) => ({
  onList: (what: string): void => log.peopleUnread?.(what),
  onSignInFailed: (detail: string): void => log.signInFailed?.(detail),
});

export const inLog = (log: Log): TroubleNews => ({
  began: (trouble) => log.troubleBegan(trouble),
  ended: (trouble) => log.troubleEnded(trouble),
});
