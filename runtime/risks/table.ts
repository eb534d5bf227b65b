// Risk table
// The facts about a call that a person should see before answering, and why. To change a risk, change only this table.
//
//   Owns:          the risks, the text of each mark, how grave each risk is, the shape of a mark.
//   Does not own:  finding risks in an input (risks.ts), how risks look (adapters).
//   Described in:  docs/reference/risks.md, which has the same rows.
//
// The table writes a command as the words that one command must contain, in this order; the command may have other words between
// them. A word that begins with `-` may be anywhere after the command's first word; `-f` is found in `-xf`, too. `*` matches any
// characters.

import { runsLater } from "../../machines/rules/later-files.ts";

/** `high`: whoever allows the call will probably regret it. `some`: the call is worth a look before an answer. */
export type Level = "high" | "some";

export interface RiskRow {
  readonly id: string;
  readonly level: Level;
  readonly label: string;
  readonly why: string;
  readonly commands?: readonly string[];
  /** The row applies if the same text has one program of each set, in any order. */
  readonly together?: readonly (readonly string[])[];
  /** This pattern is searched for in each word of a command, in paths and in addresses. */
  readonly words?: RegExp;
  /** This pattern is searched for in the path of a file that the call writes. */
  readonly written?: Pick<RegExp, "test">;
  /** This pattern is searched for in each line of a text, too; in the row `data`, in place of commands of several words. */
  readonly line?: RegExp;
  /** The name of an input field beside the command. If this field is true, the row applies to every command. */
  readonly field?: string;
  /** This pattern is searched for in an address that the call fetches. */
  readonly address?: RegExp;
}

/** The row of the table that fits an input, and where in the input. */
export interface Risk extends Pick<RiskRow, "id" | "level" | "label" | "why"> {
  /** The words of the input that show the risk. */
  readonly found: string;
}

export const riskOf = ({ id, level, label, why }: Omit<Risk, "found">, found: string): Risk => ({
  ...{ id, level, label, why },
  found,
});

const SHELLS = ["sh", "bash", "zsh", "dash", "fish", "python*", "node", "perl", "ruby"];

export const RISKS: readonly RiskRow[] = [
  {
    id: "delete",
    level: "high",
    label: "Deletes folders",
    why: "Nobody can restore what the command deletes.",
    commands: [
      ...["rm -r", "rm -R", "rm --recursive", "find -delete", "find -exec rm", "shred", "mkfs*", "dd of=*"],
      ...["rsync --delete*", "rimraf", "truncate -s"],
    ],
  },
  {
    id: "force-push",
    level: "high",
    label: "Force push",
    why: "The command replaces what others have pushed.",
    commands: ["git push -f", "git push --force*", "git push +*", "git push --mirror", "git push --delete"],
  },
  {
    id: "lost-work",
    level: "high",
    label: "Throws work away",
    why: "Changes that are not committed are lost.",
    commands: [
      ...["git reset --hard", "git clean -f", "git clean --force", "git checkout --", "git checkout ."],
      ...["git restore *", "git branch -D", "git stash drop", "git stash clear", "git reflog expire"],
      ...["git filter-branch"],
    ],
  },
  {
    id: "data",
    level: "high",
    label: "Deletes data",
    why: "Rows or tables are gone from a database.",
    commands: [
      ...["drop table", "drop database", "drop schema", "truncate table", "delete from", "dropdb"],
      ...["redis-cli flushall", "redis-cli flushdb"],
    ],
    line: /\b(?:drop\s+(?:table|database|schema)|truncate\s+table|delete\s+from|flushall|flushdb)\s*\S+/i,
  },
  {
    id: "download-and-run",
    level: "high",
    label: "May run what it downloads",
    why: "The command may run code that another machine sends and nobody has read.",
    together: [["curl", "wget"], SHELLS],
  },
  {
    id: "sudo",
    level: "high",
    label: "Runs as another user",
    why: "The command runs as administrator, so it may change the whole machine.",
    commands: ["sudo", "su", "doas", "pkexec"],
  },
  {
    id: "production",
    level: "high",
    label: "Names production",
    why: "The call may change what customers use.",
    words: /(?:^|[^a-z])prod(?:uction)?(?:$|[^a-z])/i,
  },
  {
    id: "secrets",
    level: "high",
    label: "Touches secrets",
    why: "Passwords and keys may be read, changed or sent away.",
    words:
      /(?:^|[/=@])(?:\.env(?!\.(?:example|sample|template))(?:\.[\w-]+)?|\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|secrets?(?:\.\w+)?)(?:$|\/)|\.(?:pem|key|p12|pfx|keystore)$/i,
    commands: [
      "printenv",
      "security find-generic-password",
      "gpg --export-secret-keys",
      "kubectl get secret*",
    ],
  },
  {
    id: "remote",
    level: "high",
    label: "Changes what runs elsewhere",
    why: "The command changes other machines.",
    commands: [
      ...["terraform apply", "terraform destroy", "kubectl delete", "kubectl apply", "kubectl drain"],
      ...["helm install", "helm upgrade", "helm uninstall", "docker push", "npm publish", "cargo publish"],
      ...["twine upload", "gh release", "gh pr merge", "aws * delete-*", "aws s3 rm", "gcloud * delete"],
    ],
  },
  {
    id: "later",
    level: "high",
    label: "Runs later by itself",
    why: "The content of this file runs later without anybody starting it.",
    written: { test: runsLater },
    commands: ["crontab", "systemctl enable", "launchctl load", "git config core.hookspath"],
  },
  {
    id: "rights",
    level: "high",
    label: "Opens up rights",
    why: "Others may read or run what they could not before.",
    commands: ["chmod 777", "chmod *+s", "chmod -R", "chown -R", "setfacl", "iptables", "ufw"],
  },
  {
    id: "unchecked",
    level: "high",
    label: "Skips checks",
    why: "The call skips a check that might have stopped it.",
    commands: ["git --no-verify", "npm --ignore-scripts=false", "* --no-gpg-sign", "* --insecure", "curl -k"],
    field: "dangerouslyDisableSandbox",
    line: /rejectUnauthorized['"]?\s*:\s*false|\bverify\s*=\s*False\b|NODE_TLS_REJECT_UNAUTHORIZED|InsecureSkipVerify\s*:\s*true|StrictHostKeyChecking[ =]no|--no-verify|--no-gpg-sign|--insecure/,
  },
  {
    id: "stops",
    level: "some",
    label: "Stops programs",
    why: "The command ends something that may be needed.",
    commands: [
      ...["kill", "pkill", "killall", "shutdown", "reboot", "systemctl stop", "docker rm"],
      ...["docker system prune"],
    ],
  },
  {
    id: "removes",
    level: "some",
    label: "Deletes files",
    why: "The command deletes something of which there may be no copy.",
    commands: ["rm", "unlink", "git rm"],
  },
  {
    id: "hides",
    level: "some",
    label: "Hides what it runs",
    why: "The command that runs is not the one shown here.",
    commands: ["eval", "base64 -d", "base64 --decode", "xxd -r"],
  },
  {
    id: "unsafe-address",
    level: "high",
    label: "An unusual address",
    why: "The address has a user name or look-alike letters, or it is a bare number or this machine.",
    address:
      /^(?:https?:)?\/\/(?:[^/?#]*@|\d+(?:[.:/]|$)|\[|localhost(?:[:/]|$)|[^/?#]*(?:xn--|[^\p{ASCII}])|[^/?#]*\.(?:local|internal)(?:[:/]|$))/iu,
  },
  {
    id: "network",
    level: "some",
    label: "Reaches the network",
    why: "The call sends something to another machine, or gets something from there.",
    commands: [
      ...["curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "telnet", "ftp", "git push"],
      ...["git fetch", "git pull", "git clone", "npm install", "npm i", "npm ci", "npx", "pip install"],
      ...["pip3 install", "gh"],
    ],
    address: /./,
  },
];

/** The risks of texts that are not what they look like. */
export const DISGUISES = {
  unseen: {
    id: "unseen",
    level: "high",
    label: "Characters that do not show",
    why: "Some characters are invisible, or change the order of the others, so the call may not be what it looks like.",
  },
  lookalike: {
    id: "look-alike",
    level: "high",
    label: "Letters that look like others",
    why: "A name looks like one that you know, but has other characters.",
  },
  gap: {
    id: "gap",
    level: "high",
    label: "Stands behind a gap",
    why: "This part is so far from the rest of the text that a person may overlook it.",
  },
} as const;

/** The risk of a place outside the folder where the agent works. */
export const OUTSIDE = {
  id: "outside",
  label: "Outside the folder",
  why: "A file is outside the folder in which the session works.",
} as const;

/** The risk of a command that is too long or too deeply nested to read. */
export const UNREAD = {
  id: "unread",
  level: "high",
  label: "Too much to check",
  why: "This command is too long or too deeply nested to look for risks in it.",
} as const;

/** Programs and places outside of every folder that do not count as outside. */
export const EVERYWHERE: readonly RegExp[] = [
  /^\/(?:usr\/)?(?:local\/)?s?bin\//,
  /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/,
];
