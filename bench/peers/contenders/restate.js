// Restate
// A virtual object for each call, with a handler for each step; asked through the ingress.

import { fileURLToPath } from "node:url";
import { freePort, started, untilDone } from "../child.js";

const SERVICE = fileURLToPath(new URL("../servers/restate.js", import.meta.url));
const PROGRAM = fileURLToPath(
  new URL(
    `../node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
    import.meta.url,
  ),
);

export const name = "Restate";

export async function start(folder) {
  const service = await started(process.execPath, [SERVICE], { ready: /^listens at (\S+)$/m });
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const at = (port) => `127.0.0.1:${port}`;
  const server = await started(PROGRAM, ["--no-logo", "--listen-mode", "tcp"], {
    env: {
      RESTATE_BASE_DIR: folder,
      RESTATE_BIND_ADDRESS: at(node),
      RESTATE_ADVERTISED_ADDRESS: `http://${at(node)}`,
      RESTATE_INGRESS__BIND_ADDRESS: at(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: at(admin),
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_LOG_FILTER: "warn",
    },
  });
  const stop = async () => {
    await server.stop();
    await service.stop();
  };
  try {
    await untilDone(async () => {
      const answer = await fetch(`http://${at(admin)}/deployments`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ uri: service.match[1] }),
      });
      if (!answer.ok) throw new Error(`Restate answered ${answer.status}: ${await answer.text()}`);
    });
  } catch (error) {
    await stop();
    throw new Error(server.said(), { cause: error });
  }
  const pids = [server.pid, service.pid];
  return { url: `http://${at(ingress)}`, pathOf: (step, id) => `/call/${id}/${step}`, pids, stop };
}
