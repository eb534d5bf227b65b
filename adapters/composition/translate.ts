// Translate
// Reads every message from outside.
//
//   Owns:          which clients' raw payloads are understood.
//   Does not own:  their formats (one adapter each), the public types (runtime/door).

import { givenInput } from "../../runtime/canonical.ts";
import type { ReadHook } from "../../runtime/door/hook.ts";
import { translator } from "../../runtime/door/translate.ts";
import type { Translate } from "../../runtime/message.ts";
import { claudeCodeTypes, readLogs, translateHook } from "../claude-code/index.ts";

export const translate: Translate = translator(claudeCodeTypes(givenInput));

/** The session of a hook payload. @throws RefusedError when it cannot be read. */
export const readHook: ReadHook = (payload) => translateHook(payload, givenInput);

export { readLogs };
