// Long
// The tests of whole systems: the built program, a browser, processes that are killed or stand still, the cost of long histories.
//
// `npm run test:long` runs them; `npm test` runs the others, which stay within one process and the servers it starts.

/** From the project's root, as globs. */
export const LONG: readonly string[] = [
  // The built program, as its users run it.
  "test/adapters/cli/{*,{approvals,client,engine,reading}/*}.test.ts",
  "test/adapters/request-files/state-files.folder.test.ts",
  "test/adapters/gate/{agents,doors,program,rules,client-gone,dead-address,environment,impostor}.test.ts",
  "test/project/{api,compose,soak}.test.ts",
  "test/system/cluster/*.test.ts",
  "test/system/peers/last-seen.test.ts",
  "test/system/{examples,kubernetes,library,live-transcripts,package/packages,readme,release,suggested-week}.test.ts",
  // The panel in a browser.
  "test/adapters/panel/{*,{access,inbox,overview,session}/*}.test.ts",
  // Processes and servers that are killed, stand still, or lose their files.
  "test/system/{crash,live-transcripts.crash}.test.ts",
  "test/adapters/lmdb/{crash,damaged,lost,compact,fold,snapshot}.test.ts",
  "test/adapters/agent-proxy/{acp,codex}/program.test.ts",
  "test/adapters/request-files/crash.test.ts",
  "test/runtime/turn/set-aside/poison.process.test.ts",
  "test/chaos/cluster/rounds.test.ts",
  "test/adapters/nats/server/{crash,cuts,engines,faults,fence,fence.attacks,full,spare,stalled,two-spares}.test.ts",
  "test/adapters/nats/client/{changes,engine,stalled}.test.ts",
  "test/adapters/nats-server/{impostor,nats-server}.test.ts",
  "test/adapters/notify.test.ts",
  "test/adapters/nats/{load,outlet,outlet.trouble,recordings,stream-end}.test.ts",
  // Commands in real shells, and real programs that do what a rule must not allow.
  "test/machines/rules/{hostile,reach.programs}.test.ts",
  // What an event costs behind ten thousand others.
  "test/runtime/engine/counted.test.ts",
  "test/machines/matching/correlation.cost.test.ts",
  // Every row of a store, changed in every way.
  "test/runtime/{rows/damage.inputs,verify/rows}.test.ts",
  // Every store, journal and outlet by its contract, a backup of each, and settings of every shape.
  "test/adapters/contracts/contracts.test.ts",
  "test/adapters/composition/backup.test.ts",
  "test/adapters/composition/backup.altered.test.ts",
  "test/adapters/install/telemetry.test.ts",
  // Thousands of queries at once, and every recording whole.
  "test/adapters/nats/services/query.test.ts",
  "test/system/recordings.test.ts",
  // 10,000 durable updates by two processes.
  "test/adapters/request-files/crowd.test.ts",
];
