// Prompts
// Tells users' prompts from texts that the client writes in their place.
//
//   Owns:          the client's fixed texts; the id of a prompt that came without one.
//   Does not own:  the request a prompt opens.

import type { PromptSubmitted } from "../../machines/inputs.ts";
import { digestId } from "../../runtime/foreign-id.ts";

/** Texts that the client submits itself, through the same hook as a user's prompt (client facts, UserPromptSubmit). */
const SYNTHETIC = /^(?:<task-notification>|Continue from where you left off\.$)/;
const INTERRUPTION = /^\[Request interrupted by user/;
/**
 * Commands that run in the client, their arguments and their output, in transcripts only. If a command is itself a prompt,
 * another line contains that prompt.
 */
const LOCAL_COMMAND = /^\s*<(?:local-command-|command-(?:name|message|args)>|bash-(?:input|stdout|stderr)>)/;

export const isSynthetic = (text: string): boolean => SYNTHETIC.test(text);
export const isInterruption = (text: string): boolean => INTERRUPTION.test(text);
export const isLocalCommand = (text: string): boolean => LOCAL_COMMAND.test(text);

/**
 * Makes an id for a prompt of a client that gives prompts no id. The hook and the transcript line of one prompt get the same
 * id.
 */
export const derivedPromptId = (sessionId: string, text: string): string => digestId("p_", [sessionId, text]);

export function promptSubmitted(
  base: { readonly promptId: string; readonly observedAt?: number },
  text: string,
  synthetic: boolean,
): PromptSubmitted {
  return { ...base, type: "prompt.submitted", text, ...(synthetic && { synthetic }) };
}
