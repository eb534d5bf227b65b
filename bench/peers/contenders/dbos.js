// DBOS
// A workflow for each call, on the PostgreSQL that SIGNALBOX_BENCH_POSTGRES names; a database of its own is made in it
// and dropped at the end.

import { fileURLToPath } from "node:url";
import pg from "pg";
import { started } from "../child.js";

const SERVER = fileURLToPath(new URL("../servers/dbos.js", import.meta.url));
const POSTGRES = process.env["SIGNALBOX_BENCH_POSTGRES"];

export const name = "DBOS + PostgreSQL";
export const isThere = POSTGRES !== undefined;

export async function start() {
  const database = `signalbox_bench_${process.pid}`;
  const address = new URL(`/${database}`, POSTGRES).href;
  const server = await started(process.execPath, [SERVER, address], { ready: /^listens at (\S+)$/m });
  const stop = async () => {
    await server.stop();
    const client = new pg.Client({ connectionString: POSTGRES });
    await client.connect();
    await client.query(`DROP DATABASE ${database}`);
    await client.end();
  };
  // PostgreSQL is not ours to count: its share is missing.
  return { url: server.match[1], pathOf: (step, id) => `/${id}/${step}`, pids: [server.pid], stop };
}
