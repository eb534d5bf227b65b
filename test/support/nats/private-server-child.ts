// Private server child
// A process that runs a private server until it is killed.
//
//   Owns:          printing where the server listens.
//   Does not own:  being killed.
//
// Arguments: the server's folder, the key that it lets in.

import { findNatsServer, runPrivateServer } from "../../../adapters/nats-server/index.ts";
import { commandOf, listensOn, markOf } from "../../../adapters/system/index.ts";

const [dir = "", publicKey = ""] = process.argv.slice(2);
const binary = await findNatsServer(process.env["PATH"]);
if (!binary) throw new Error("There is no nats-server on the PATH.");
const { port } = await runPrivateServer({
  dir,
  publicKey,
  binary,
  processes: { markOf, commandOf, listensOn },
  onNews: () => undefined,
});
process.stdout.write(`${port}\n`);
