// Clients
// The supported clients, and what their messages mean.
//
//   Owns:          passing the list of clients to the parts that need it.
//   Does not own:  the list of clients (profiles), the public types (runtime/door).

import { Clients } from "../../runtime/clients.ts";
import { translator } from "../../runtime/door/translate.ts";
import type { Translate } from "../../runtime/message.ts";
import { profiles } from "./profiles.ts";

export const clients = new Clients(profiles);

export const translate: Translate = translator(clients);
