// Profiles
// The list of supported clients.
//
//   Owns:          the list: a client is supported if it is in the list.
//   Does not own:  the profile of each client (the client's adapter).
//   Decided in:    docs/decisions/0064-one-profile-a-client.md.

import type { ClientProfile } from "../../runtime/client-profile.ts";
import { codexCli } from "../agent-hooks/codex.ts";
import { copilotCli } from "../agent-hooks/copilot.ts";
import { openCode } from "../agent-hooks/opencode.ts";
import { acp, codex } from "../agent-proxy/profiles.ts";
import { claudeCode } from "../claude-code/profile.ts";

export const profiles: readonly ClientProfile[] = [claudeCode, acp, codex, codexCli, copilotCli, openCode];
