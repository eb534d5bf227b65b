// Service text
// The text of the file by which the operating system keeps an engine running: a systemd user unit or a launchd agent.
//
//   Owns:          the text and path of the systemd unit and of the launchd agent, the commands that start and stop each.
//   Does not own:  writing the unit or agent to a file (commands/service).
//
// SERVICE-TEXT-1. Every path and argument in a service's file is quoted by the rules of systemd or launchd, so that no value
//     can end the line or the XML element that it is in.

import { join } from "node:path";
import { pasted } from "../../../runtime/text/quoted.ts";

export type ServiceKind = "systemd" | "launchd";

export interface Service {
  readonly path: string;
  readonly text: string;
  readonly start: string;
  readonly stop: string;
}

export const SERVICE_MARK = "Written by `signalbox service`";
const LABEL = "signalbox";

/** @param args the program, its script and the arguments of `up`. @param home the user's home folder. */
export function serviceOf(
  kind: ServiceKind,
  args: readonly string[],
  home: string,
  env: NodeJS.ProcessEnv,
): Service {
  if (kind === "launchd") {
    const path = join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
    return {
      path,
      text: launchd(args),
      start: `launchctl load -w ${pasted(path)}`,
      stop: `launchctl unload -w ${pasted(path)}`,
    };
  }
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  return {
    path: join(config, "systemd", "user", `${LABEL}.service`),
    text: systemd(args),
    start: `systemctl --user daemon-reload && systemctl --user enable --now ${LABEL}`,
    stop: `systemctl --user disable --now ${LABEL}`,
  };
}

const systemd = (args: readonly string[]): string => `# ${SERVICE_MARK}
[Unit]
Description=Signalbox: AI coding-agent sessions and their approvals

[Service]
ExecStart=${args.map(unitWord).join(" ")}
Restart=on-failure
RestartSec=5
KillMode=mixed

[Install]
WantedBy=default.target
`;

/** Quotes a word of a unit's command, because systemd would expand `%` and `$` in it. */
function unitWord(word: string): string {
  const escaped = word
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("%", "%%")
    .replaceAll("$", "$$$$");
  return `"${escaped}"`;
}

const launchd = (args: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${SERVICE_MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${args.map((each) => `    <string>${xmlText(each)}</string>`).join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
</dict>
</plist>
`;

const xmlText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
