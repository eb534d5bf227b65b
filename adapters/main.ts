#!/usr/bin/env node
// Main
// The program `signalbox`: passes the command line everything it needs.
//
//   Owns:          the wiring of the commands.
//   Does not own:  the commands (cli), the engine (compose.ts; loaded only if one is started).

import { keptIn } from "./audit-log/index.ts";
import { kindOfLine, parseLine, recordedLine } from "./claude-code/index.ts";
import { DEFAULT_PORT, processTerminal, run, type Wiring } from "./cli/index.ts";
import {
  addToken,
  dataFolder,
  dataFolderForClients,
  listTokens,
  makeDeep,
  makeFolder,
  makeOwn,
  onClosed,
  readAddress,
  readBinding,
  readOwn,
  readTokens,
  removeOwn,
  removeToken,
  writeOwn,
} from "./data-folder/index.ts";
import { auditSigner } from "./composition/audit/audit-side.ts";
import { engineAt, engineOf } from "./composition/engine-of.ts";
import { IntentExtractor } from "./intent/extractor.ts";
import { listedCalls } from "./intent/lookup.ts";
import { agents, hooksOf } from "./composition/agents/agents-side.ts";
import { withToken } from "./line/index.ts";
import { shownAddress } from "./nats/address.ts";
import { findNatsServer } from "./nats-server/index.ts";
import { runOwnNats } from "./composition/own-nats.ts";
import { patience } from "./composition/patience.ts";
import { diskOf, findClient, isTaken, markOf, runnable, syncTimeOf } from "./system/index.ts";
import { acpProtocol, codexProtocol } from "./agent-proxy/index.ts";
import { serveAgent } from "./composition/agent-side.ts";
import { servePermissionTool } from "./composition/permission-side.ts";
import { version } from "./version.ts";

const intents = new IntentExtractor();
const PROTOCOLS = { acp: acpProtocol, codex: codexProtocol };
const wiring: Wiring = {
  version,
  machine: { node: process.versions.node, disk: diskOf, isTaken, syncTime: syncTimeOf, runnable },
  claudeCode: { parse: parseLine, kindOf: kindOfLine, read: recordedLine },
  intents: { extract: (path, query) => intents.extract(path, query), calls: listedCalls },
  folder(dir) {
    const folder = dataFolder(dir, process.env);
    return {
      dir: folder.dir,
      // A folder that only SIGNALBOX_DATA names is not the default, so printed commands name it with `--data`: a user may run
      // them in a terminal without this variable.
      isDefault: folder.dir === dataFolder(undefined, { ...process.env, SIGNALBOX_DATA: "" }).dir,
      engine: engineOf(folder),
      engineAt: (url) => engineAt(folder, url),
      addToken: (name, access, token) => addToken(folder, name, access, token),
      tokenOf: async (name) => (await readTokens(folder)).find((each) => each.name === name)?.token,
      removeToken: (name) => removeToken(folder, name),
      tokens: () => listTokens(folder),
      address: async () => (await readAddress(folder))?.url,
      binding: () => readBinding(folder),
      upNote: {
        read: () => readOwn(folder.up),
        make: (text) => makeOwn(folder.up, text),
        write: (text) => writeOwn(folder.up, text),
        remove: () => removeOwn(folder.up),
      },
      opener: {
        path: folder.opener,
        write: async (text) => {
          await makeFolder(folder);
          await writeOwn(folder.opener, text);
        },
      },
      log: folder.log,
      settings: folder.settings,
      started: { read: () => readOwn(folder.started), write: (text) => writeOwn(folder.started, text) },
      make: () => makeFolder(folder),
    };
  },
  readOwn,
  findClient: (asking) => findClient(process.env, asking),
  agents,
  hooks(dir, agent) {
    const url = `http://127.0.0.1:${DEFAULT_PORT}`;
    const folder = dataFolder(dir, process.env);
    return hooksOf({ folder, env: process.env, cwd: process.cwd(), url }, agent);
  },
  folderForClients: (dir) => dataFolderForClients(dir, process.env).dir,
  permissionTool: (dir, timeoutMs, workspace) =>
    servePermissionTool(dataFolder(dir, {}), timeoutMs, workspace),
  serveAgent: (protocol, dir, command, terms) =>
    serveAgent(dataFolder(dir, {}), PROTOCOLS[protocol], command, terms),
  markOf,
  makeDeep,
  shownAddress,
  natsServer: {
    find: () => findNatsServer(process.env["PATH"]),
    run(binary, dataDir, onNews) {
      const folder = dataFolder(dataDir, process.env);
      const wait = (why: string, next: string): void => onNews({ type: "waiting", why, next });
      // This signal never aborts: until the NATS server runs, nothing needs cleaning up, and the process may simply end.
      return patience(wait, new AbortController().signal)(() => runOwnNats(folder, binary, onNews));
    },
  },
  async serve({ dataDir, ...options }) {
    const { launch } = await import("./composition/launch.ts");
    return launch({ ...options, folder: dataFolder(dataDir, process.env) });
  },
  async compact(dataDir) {
    const { compactFolder } = await import("./composition/compacting.ts");
    const folder = dataFolder(dataDir, process.env);
    return { dir: folder.dir, ...(await compactFolder(folder)) };
  },
  backups: {
    async backUp(dataDir, file, wish) {
      const { backUp } = await import("./composition/backup/back-up.ts");
      return backUp(dataFolder(dataDir, process.env), file, wish);
    },
    async restore(dataDir, file, wish) {
      const { restore } = await import("./composition/backup/restore.ts");
      return restore(dataFolder(dataDir, process.env), file, wish);
    },
    async isSealed(file) {
      const { isSealed } = await import("./composition/backup/restore.ts");
      return isSealed(file);
    },
  },
  audit(dataDir) {
    const folder = dataFolder(dataDir, process.env);
    return { dir: folder.dir, kept: (dir = folder.audit) => keptIn(dir), signer: () => auditSigner(folder) };
  },
  async verify(dataDir, wish, server) {
    const { verifyFolder } = await import("./composition/verifying.ts");
    const folder = dataFolder(dataDir, process.env);
    const found = await verifyFolder(folder, wish, { ...server, path: process.env["PATH"] });
    return { dir: folder.dir, ...found };
  },
  withToken,
  async privateEngine() {
    const { launchPrivately } = await import("./composition/launch.ts");
    return launchPrivately();
  },
};

const terminal = processTerminal();
onClosed((what) => terminal.err(what));
process.exitCode = await run(process.argv.slice(2), {
  terminal,
  env: process.env,
  wiring,
  now: () => Date.now(),
});
