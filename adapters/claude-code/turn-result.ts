// Turn result
// Reads from the `result` line of a stream how a turn ended.
//
//   Owns:          the client's words for how a turn ends; its counts.
//   Does not own:  the calls that were open at that moment.

import { defined } from "../../machines/defined.ts";
import type { TurnStopped } from "../../machines/inputs.ts";
import { type Fields, optionalAmount, optionalChild, optionalText } from "../../runtime/foreign-fields.ts";
import { shownText } from "./texts.ts";

/** @param deferred whether the line names a call that was put off. */
export function turnStopped(line: Fields, deferred: boolean): TurnStopped {
  const outcome = deferred ? "deferred" : outcomeOf(line);
  return defined({
    type: "turn.stopped",
    outcome,
    output: shownText(line, "result"),
    model: onlyModel(line),
    tokens: tokensOf(line),
    error: outcome === "failed" ? errorOf(line) : undefined,
  });
}

function outcomeOf(line: Fields): TurnStopped["outcome"] {
  const reason = optionalText(line, "terminal_reason");
  if (reason === "tool_deferred") return "deferred";
  if (reason?.startsWith("aborted") === true) return "interrupted";
  const failed =
    line.values["is_error"] === true || optionalText(line, "subtype")?.startsWith("error") === true;
  return failed ? "failed" : "completed";
}

/** Several models mean that subagents used others; the line then does not say which one led the turn. */
function onlyModel(line: Fields): string | undefined {
  const models = Object.keys(optionalChild(line, "modelUsage")?.values ?? {});
  return models.length === 1 ? models[0] : undefined;
}

const COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];

/** All tokens of the turn's main agent, including cached ones. */
function tokensOf(line: Fields): number | undefined {
  const usage = optionalChild(line, "usage");
  if (usage === undefined) return undefined;
  return COUNTS.reduce((sum, key) => sum + (optionalAmount(usage, key) ?? 0), 0);
}

function errorOf(line: Fields): string | undefined {
  const errors = line.values["errors"];
  const texts = Array.isArray(errors) ? errors.filter((error) => typeof error === "string") : [];
  return texts.length > 0 ? texts.join("\n") : (shownText(line, "result") ?? optionalText(line, "subtype"));
}
