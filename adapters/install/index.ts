// Install: the client's hooks put in and taken out, and the programs they run.

export { checkClient, clientGiven, clientLimits, isSince, knownEvents } from "./client-versions.ts";
export { type GateChoice, hookKinds } from "./hook-events.ts";
export { lineChanges } from "./line-changes.ts";
export { changedPluginFiles, pluginFiles, writePluginFiles } from "./plugin.ts";
export { type Kept, keepPrograms, programFaults } from "./programs.ts";
export {
  areHooksOff,
  edited,
  entryOf,
  type FoundHook,
  hooksIn,
  type Terms,
  type Wanted,
  withHooks,
  withoutHooks,
} from "./settings.ts";
export { readSettingsFile, type Scope, settingsPath, writeSettingsFile } from "./settings-file.ts";
export { type Collector, withoutTelemetry, withTelemetry } from "./telemetry.ts";
