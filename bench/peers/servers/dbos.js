// DBOS server
// A call as a workflow: the first request starts it, each later one is a message that it waits for.
//
// A request is answered once DBOS says it is durable: the workflow is there, or the message. The last is answered once
// the workflow has ended, so that nothing is left to do when the round is over.

import { DBOS } from "@dbos-inc/dbos-sdk";
import { serveSteps } from "./steps.js";

const WAIT_S = 60;
const LATER = ["asked", "approved", "finished"];

const call = DBOS.registerWorkflow(
  async () => {
    for (const step of LATER) {
      const body = await DBOS.recv(step, WAIT_S);
      if (body === null) throw new Error(`The call was never ${step}.`);
    }
  },
  { name: "call" },
);

DBOS.setConfig({
  name: "signalbox-bench",
  systemDatabaseUrl: process.argv[2],
  applicationVersion: "1",
  runAdminServer: false,
  logLevel: "error",
});
await DBOS.launch();

const running = new Map();

serveSteps(async (id, step, body) => {
  if (step === "started") running.set(id, await DBOS.startWorkflow(call, { workflowID: id })(body));
  else await DBOS.send(id, body, step);
  if (step !== "finished") return;
  await running.get(id).getResult();
  running.delete(id);
});
