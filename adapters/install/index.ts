// Install: installs and removes the client's hooks, and the programs that they run.

export { checkClient, clientGiven, hookKinds, knownEvents } from "./client-versions.ts";
export { lineChanges } from "./line-changes.ts";
export { changedPluginFiles, pluginFiles, writePluginFiles } from "./plugin.ts";
export { checkPluginFile, pluginFileText, pluginHeadIn } from "./plugin-file.ts";
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
export { readSettingsFile, removeSettingsFile, writeSettingsFile } from "./settings-file.ts";
export { telemetryIn, withoutTelemetry, withTelemetry } from "./telemetry.ts";
