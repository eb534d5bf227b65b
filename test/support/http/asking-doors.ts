// Asking doors
// The doors over HTTP at which a call is asked about, all on one engine.
//
//   Owns:          how each says what it asks.
//   Does not own:  what must come of it (asker.contract).

import type { Asks, AskingDoor, DoorUnderTest, Told } from "../../adapters/contracts/asker.contract.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { at } from "../engine/json.ts";
import { event, serve, type Served } from "./served.ts";

const SHOP = { "Signalbox-Workspace": "shop" };
const WAIT_MS = 600_000;

type Ask = (served: Served, asks: Asks) => Promise<Told>;

const service: Ask = (served, { id, session, tool, input, call, agent }) => {
  const more = {
    ...(call !== undefined && { toolUseId: call }),
    ...(agent !== undefined && { agentId: agent }),
  };
  return served.post("/v1/approvals", { approvalId: id, session, tool, input, ...more }, SHOP);
};

/** A service by the names that other products have. */
const product: Ask = (served, { id, session, tool, input }) =>
  served.post("/v1/approvals", { call_id: id, run_id: session, spec: { fn: tool, kwargs: input } }, SHOP);

const hook =
  (via: string): Ask =>
  (served, { id, session, run, agent, call, tool, input }) =>
    served.post(
      `/v1/gate?approval=${id}&wait=${WAIT_MS}&closed=deny${via}`,
      {
        hook_event_name: "PermissionRequest",
        session_id: session,
        tool_name: tool,
        tool_input: input,
        ...(run !== undefined && { prompt_id: run }),
        ...(agent !== undefined && { agent_id: agent }),
        ...(call !== undefined && { tool_use_id: call }),
      },
      SHOP,
    );

/** What a service publishes, over HTTP: it is told that it was taken, and reads the rest. */
const published: Ask = async (served, asks) => {
  const taken = await served.post("/v1/events", requested(asks));
  return taken.status === 200 ? read(served, asks) : { ...taken, body: withFacts(taken.body) };
};

export const requested = ({ id, session, run, agent, call, tool, input }: Asks): object =>
  event(
    "approval.requested",
    {
      approvalId: id,
      tool,
      input,
      ...(run !== undefined && { requestId: run }),
      ...(agent !== undefined && { agentId: agent }),
      ...(call !== undefined && { toolUseId: call }),
    },
    { subject: `shop/${session}` },
  );

/** An event that was rejected says what differs in its reason alone. */
const withFacts = (body: unknown): object => ({
  ...(body as object),
  differs: String(at(body, "reason")).split("what differs: ")[1]?.split(", "),
});

/** As one who asked this reads the answer. */
export const saidBy = ({ session, run, agent, call, tool, input }: Asks) => ({
  session,
  tool,
  inputHash: toolInput(input).hash,
  ...(run !== undefined && { run }),
  ...(agent !== undefined && { agent }),
  ...(call !== undefined && { call }),
});

export function read(served: Served, asks: Asks, how?: "byId"): Promise<Told> {
  const query = new URLSearchParams({ workspace: "shop", ...(how === undefined && saidBy(asks)) });
  return served.get(`/v1/approvals/${asks.id}/answer?${query.toString()}`);
}

/** Approves what is shown under the id. */
export async function approve(served: Served, id: string): Promise<Told> {
  const shown = await served.get(`/v1/approvals/${id}?workspace=shop`);
  const body = { decision: "approve", inputHash: at(shown.body, "inputHash") };
  return served.post(`/v1/approvals/${id}/decision?workspace=shop`, body);
}

/** Starts the engine anew on the same disk. */
export async function restarted(served: Served): Promise<Served> {
  const { disk, clock, ids } = served;
  await served.stop();
  return serve({ disk, clock, ids });
}

const opened = (ask: Ask) => async (): Promise<AskingDoor> => {
  let served = await serve();
  return {
    ask: (asks) => ask(served, asks),
    read: (asks, how) => read(served, asks, how),
    approve: async (id) => {
      await approve(served, id);
    },
    restart: async () => {
      served = await restarted(served);
    },
    stop: () => served.stop(),
  };
};

export const ASK = { service, product, gate: hook(""), sdk: hook("&via=sdk"), published } as const;

export const DOORS: readonly DoorUnderTest[] = [
  {
    name: "a service",
    facts: ["session", "agent", "call", "tool", "input"],
    isOfService: true,
    open: opened(service),
  },
  {
    name: "a service with a run and a function",
    facts: ["session", "tool", "input"],
    isOfService: true,
    open: opened(product),
  },
  {
    name: "an event",
    facts: ["session", "run", "agent", "call", "tool", "input"],
    isOfService: true,
    open: opened(published),
  },
  {
    name: "a hook",
    facts: ["session", "run", "agent", "call", "tool", "input"],
    isOfService: false,
    open: opened(ASK.gate),
  },
  {
    name: "the Agent SDK",
    facts: ["session", "run", "agent", "call", "tool", "input"],
    isOfService: false,
    open: opened(ASK.sdk),
  },
];
