// Clients
// The clients that are understood, and what their messages mean.
//
//   Owns:          the list of profiles: a client is served once it stands here.
//   Does not own:  the profiles (one adapter each), the public types (runtime/door).
//   Decided in:    docs/decisions/0064-one-profile-a-client.md.

import { Clients } from "../../runtime/clients.ts";
import { translator } from "../../runtime/door/translate.ts";
import type { Translate } from "../../runtime/message.ts";
import { claudeCode } from "../claude-code/index.ts";

export const clients = new Clients([claudeCode]);

export const translate: Translate = translator(clients);
