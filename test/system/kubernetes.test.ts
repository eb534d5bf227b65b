// Kubernetes: an engine is started with the settings of ops/kubernetes, in folders instead of a pod's volumes.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { newSecret } from "../../adapters/data-folder/secret.ts";
import { at, listAt, textAt } from "../support/engine/json.ts";
import { type NatsServer, natsServer } from "../support/nats/server.ts";
import { build, Desk } from "../support/processes/program.ts";

const FILE = join(import.meta.dirname, "..", "..", "ops", "kubernetes", "engines.yaml");
const pod = parseAllDocuments(readFileSync(FILE, "utf8"), { merge: true })
  .map((each) => each.toJS() as unknown)
  .flatMap((each) => at(each, "spec", "template", "spec") ?? [])[0];

let server: NatsServer;
let desk: Desk;
beforeAll(async () => {
  await build();
  server = await natsServer();
  desk = new Desk();
}, 300_000);
afterAll(async () => {
  await desk.clear();
  await server.dispose();
});

/** Kubernetes mounts each file of a secret as a link. */
function given(secret: string, files: Readonly<Record<string, string>>): void {
  const folder = join(desk.dir, "given", secret);
  mkdirSync(join(folder, "..data"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, "..data", name), content, { mode: 0o440 });
    symlinkSync(join("..data", name), join(folder, name));
  }
}

const here = (value: string): string =>
  value.replaceAll(/(?<![\w.])\/(data|given)(?=\/)/g, join(desk.dir, "$1"));

async function get(url: string, path: string, headers: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(url);
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on("error", reject)
      .end();
  });
}

test("Ops: with the secrets of a pod the engine starts, is ready under the Service's name, and lets in whoever has a token", async () => {
  const token = newSecret();
  given("engine", { key: newSecret(), "nats-ca.pem": "" });
  given("tokens", { ann: `${token}\n` });
  mkdirSync(join(desk.dir, "data"));
  const [secrets] = listAt(pod, "initContainers");
  const [shell = "", ...words] = listAt(secrets, "command").map(String);
  // A pod that is started again finds its folder as it was.
  for (let start = 0; start < 2; start += 1) await promisify(execFile)(shell, words.map(here));

  const [engine] = listAt(pod, "containers");
  const set = listAt(engine, "env").flatMap((each) => {
    const [name = "", value] = [textAt(each, "name"), textAt(each, "value")];
    const isHere = value !== undefined && !["NODE_EXTRA_CA_CERTS", "SIGNALBOX_NATS_REPLICAS"].includes(name);
    return isHere ? [[name, here(value).replace("$(POD)", "signalbox-0")] as const] : [];
  });
  const env = { ...Object.fromEntries(set), SIGNALBOX_NATS_URL: server.url, SIGNALBOX_PORT: "0" };
  const [, , command = ""] = listAt(engine, "command").map(String);
  const started = desk.start([command], { env });
  const [, url = ""] = await started.said(/runs at (http:\/\/[\d.]+:\d+)/);

  const probed = at(engine, "readinessProbe", "httpGet");
  const Host = textAt(listAt(probed, "httpHeaders")[0], "value") ?? "";
  const path = textAt(probed, "path") ?? "";
  await expect.poll(() => get(url, path, { Host })).toMatchObject({ status: 200 });
  expect(await get(url, path, { Host: "signalbox-0.signalbox-engines.signalbox.svc:8443" })).toMatchObject({
    status: 200,
  });
  expect(await get(url, path, { Host: "elsewhere.example" })).toMatchObject({ status: 403 });
  expect(await get(url, "/v1/sessions", { Host })).toMatchObject({ status: 401 });
  expect(await get(url, "/v1/sessions", { Host, Authorization: `Bearer ${token}` })).toMatchObject({
    status: 200,
  });
}, 300_000);
