// Prompts
// Distinguishes the users' prompts from texts that the client itself submits as prompts.
//
//   Owns:          the client's fixed texts; the id of a prompt that came without an id.
//   Does not own:  the request that a prompt opens.

import type { PromptSubmitted } from "../../machines/inputs.ts";
import { digestId } from "../../runtime/foreign-id.ts";

/** Texts that the client itself submits through the same hook as a user's prompt (client facts, UserPromptSubmit). */
const SYNTHETIC = /^(?:<task-notification>|Continue from where you left off\.$)/;
const INTERRUPTION = /^\[Request interrupted by user/;
/** Matches commands that run in the client, and their output. If a command becomes a prompt, another line has the prompt. */
const LOCAL_COMMAND = /^\s*<(?:local-command-|command-(?:name|message|args)>|bash-(?:input|stdout|stderr)>)/;

export const isSynthetic = (text: string): boolean => SYNTHETIC.test(text);
export const isInterruption = (text: string): boolean => INTERRUPTION.test(text);
export const isLocalCommand = (text: string): boolean => LOCAL_COMMAND.test(text);

/** The id for a prompt to which the client gave no id. The prompt's hook and its transcript line get the same id. */
export const derivedPromptId = (sessionId: string, text: string): string => digestId("p_", [sessionId, text]);

export function promptSubmitted(
  base: { readonly promptId: string; readonly observedAt?: number },
  text: string,
  synthetic: boolean,
): PromptSubmitted {
  return { ...base, type: "prompt.submitted", text, ...(synthetic && { synthetic }) };
}
