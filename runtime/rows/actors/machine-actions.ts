// Machine actions
// Runs the actions of one step of a machine. An action changes the context, or requests an effect.
//
//   Owns:          running XState's assign and enqueueActions, and collecting the effects that they request.
//   Does not own:  which actions a step has, and in which order (machine-table), carrying out the effects (turn).
//
// MACHINE-ACTIONS-1. The turn fails if an action requests an effect that is not in the closed union of effects
//     (machines/effects).

import { type Effect, EFFECT_NAMES } from "../../../machines/index.ts";
import { InvariantViolation } from "../../errors/errors.ts";

export interface MachineEvent {
  readonly type: string;
}

interface Args {
  readonly context: object;
  readonly event: MachineEvent;
}

/**
 * An action of a machine.
 * @param effects the list to which the action adds the effects that it requests.
 * @returns the next context.
 */
export type Action = (args: Args, effects: Effect[]) => object;

export type Named = string | { readonly type: string; readonly params?: unknown };

/** An action as it is in a machine's setup: a function. XState's own actions are functions with fields. */
export type Implementation = ((...given: never) => unknown) & {
  readonly type?: string;
  readonly assignment?: unknown;
  readonly collect?: unknown;
};

const EFFECTS: ReadonlySet<string> = new Set(EFFECT_NAMES);

/** @throws InvariantViolation UNKNOWN_ACTION for an action of XState that this code cannot carry out. */
export function actionOf(named: Named, implementation: Implementation | undefined): Action {
  const [type, given] = typeof named === "string" ? [named, undefined] : [named.type, named.params];
  // As in XState: a parameter that is a function is called with the step's arguments; any other value is passed on.
  const paramsIn = typeof given === "function" ? (given as (args: Args) => unknown) : (): unknown => given;
  switch (implementation?.type) {
    case "xstate.assign":
      return assigned(implementation.assignment, paramsIn);
    case "xstate.enqueueActions":
      return enqueued(implementation.collect as Collect);
    case undefined:
      return (args, effects) => {
        effects.push(effectOf(type, paramsIn(args)));
        return args.context;
      };
    default:
      throw new InvariantViolation(
        "UNKNOWN_ACTION",
        `The runtime cannot carry out a machine's action "${type}": its type is ${implementation?.type ?? "unknown"}.`,
        "Report this as a defect.",
      );
  }
}

type Assigner = (args: Args, params: unknown) => object;

function assigned(assignment: unknown, paramsIn: (args: Args) => unknown): Action {
  if (typeof assignment === "function") {
    const assigner = assignment as Assigner;
    return (args) => ({ ...args.context, ...assigner(args, paramsIn(args)) });
  }
  const fields = Object.entries(assignment as object) as readonly [string, unknown][];
  return (args) => ({
    ...args.context,
    ...Object.fromEntries(
      fields.map(([key, value]) => [
        key,
        typeof value === "function" ? (value as Assigner)(args, paramsIn(args)) : value,
      ]),
    ),
  });
}

type Collect = (args: Args & { readonly enqueue: (asked: Named) => void }) => void;

const enqueued =
  (collect: Collect): Action =>
  ({ context, event }, effects) => {
    const enqueue = (asked: Named): void => {
      effects.push(
        typeof asked === "string" ? effectOf(asked, undefined) : effectOf(asked.type, asked.params),
      );
    };
    collect({ context, event, enqueue });
    return context;
  };

function effectOf(type: string, params: unknown): Effect {
  if (!EFFECTS.has(type)) {
    throw new InvariantViolation(
      "UNKNOWN_EFFECT",
      `A machine asked for the effect "${type}", which the runtime does not know.`,
      "Report this as a defect.",
    );
  }
  // The cast is safe: `type` is the name of an effect, and each machine has typed the parameters of each effect that it names.
  return { type, params } as Effect;
}
