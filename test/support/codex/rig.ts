// Rig
// The proxy before Codex, without processes, and short words for what is asked, answered and heard.
//
//   Owns:          those words.
//   Does not own:  the parts of the proxy (played), what is expected.

import { codexProtocol } from "../../../adapters/agent-proxy/codex/protocol.ts";
import type { Ending } from "../../../adapters/agent-proxy/gates.ts";
import { played, settled } from "../agent-proxy/played.ts";
import { textAt } from "../engine/json.ts";

export const IDS = { threadId: "t1", turnId: "u1" };
export const DENY = { type: "deny", message: "No.", interrupt: false } as const;

export function codexRig() {
  const rig = played(60_000, codexProtocol);
  /** The nth that the client is asked by the proxy. */
  const dialog = (nth = 0): unknown =>
    rig.clientHeard().filter((each) => textAt(each, "id")?.startsWith("secret-"))[nth];
  const tells = (method: string, params: object = {}): void =>
    rig.agent({ method, params: { ...IDS, ...params } });
  return {
    ...rig,
    dialog,
    tells,
    asks: (method: string, params: object = {}, id: unknown = 0): void =>
      rig.agent({ method, id, params: { ...IDS, ...params } }),
    item: (more: object): void => tells("item/started", { item: { id: "call_1", ...more } }),
    says: (result: unknown, nth = 0): void => rig.client({ id: textAt(dialog(nth), "id"), result }),
    async ends(nth: number, ending: Ending): Promise<void> {
      rig.asked[nth]?.end(ending);
      await settled();
    },
  };
}
