// Engine settings
// The settings with which an engine is started, by a program or on the command line.
//
//   Owns:          the settings that all ways to start an engine share.
//   Does not own:  defaults and checks (adapters), how sources are treated (config), the ports (engine-options).

import type { Quota } from "./quota.ts";

/** Where HTTP listens, and the names by which others reach it. */
export interface HttpSettings {
  /** The port; 0 for any free port. */
  readonly port: number;
  /** The address of this machine at which HTTP listens; default 127.0.0.1. Any other requires a token or a sign-in. */
  readonly host?: string;
  /**
   * The names by which others reach HTTP: hosts without port, or origins of proxies, such as `https://box.example`. Requests
   * with any other `Host` are refused. As with a `host` other than the default, there must be a holder with a token, or a
   * sign-in.
   */
  readonly names?: readonly string[];
  /** An identity provider that signs people in. The engine then needs a name at which others reach it by https. */
  readonly signIn?: SignInSettings;
}

export interface SignInSettings {
  /** The address by which the provider names itself (its issuer). */
  readonly issuer?: string;
  /** The client id that the provider gave this engine. */
  readonly client?: string;
  /** The file with the secret that the provider gave this engine. Default: `oidc-secret` in the data folder. */
  readonly secretFile?: string;
  /** The list of the people who may sign in. Default: `people.yaml` in the data folder. */
  readonly peopleFile?: string;
}

/** The NATS server that keeps the journal and gets the changes. */
export interface NatsSettings {
  /**
   * The address of the server, or several with commas between; each may contain `user:password@` or `token@`. Servers on other
   * machines must use TLS.
   */
  readonly url: string;
  /** The file with the seed of an nkey, used in place of a user or token. A private server has an nkey of its own. */
  readonly nkey?: string;
  /**
   * On how many servers of a cluster each message is stored. Default: 1 for a new journal; an existing journal is not changed.
   */
  readonly replicas?: number;
  readonly isPrivate: boolean;
}

/**
 * Who may see a file's lines around an edit: nobody, the engine's own user on its machine, or everybody who may answer the
 * approval.
 */
export const AUDIENCES = ["off", "own", "all"] as const;
export type Audience = (typeof AUDIENCES)[number];

export interface EngineSettings {
  /** A shell command to run for each new approval. */
  readonly notifyCommand?: string;
  /** A file to which each checkpoint of the audit log is appended, best on another machine's disk. */
  readonly checkpointFile?: string;
  /** A shell command to run for each checkpoint of the audit log. */
  readonly checkpointCommand?: string;
  /** A folder that mirrors each request as a file, for scripts. */
  readonly stateFiles?: string;
  /** Transcripts that hooks name are read only in these folders; with an empty list, no transcript is read. */
  readonly transcripts?: readonly string[];
  /**
   * Who sees, in the panel, the lines of a project's file around an edit that waits for approval. Default: `own` for an engine
   * that `up` starts, `off` for an engine in another program.
   */
  readonly fileLines?: Audience;
  /** A file that lists other engines, whose sessions this engine's users see and answer, too. Default: none. */
  readonly peers?: string;
  /**
   * The share of the workspaces that this engine takes, such as `3/16`, where several engines divide them. If left out, the share
   * in the journal stays; a new journal takes all workspaces.
   */
  readonly partition?: string;
  /**
   * A file with the address of a team's NATS server, `nats://NAME:PASSWORD@HOST:4222`. Through this server the team's other
   * engines reach this engine, by the name NAME, and this engine reaches the others. Default: none.
   */
  readonly join?: string;
  /** The limits of each workspace; a field left out gets its default. */
  readonly quota?: Partial<Quota> | "off";
  /** How long the facts that rules read of an approval are kept, to try rules on, ms; 0 keeps none. Default 90 days. */
  readonly approvalsKeptMs?: number;
  /**
   * A file with a policy in the language of Cedar, which answers beside the rules of every workspace; `none` removes the policy
   * in force. If left out, the policy in the journal stays. Needs the package `@cedar-policy/cedar-wasm`.
   */
  readonly cedar?: string;
  /** A collector of OpenTelemetry that gets spans and metrics over HTTP: its base address, without a secret. */
  readonly otlp?: string;
  /** A file with the headers that the collector needs, one a line. */
  readonly otlpHeaders?: string;
  /** True to let the store continue with another journal than the one that it has read. */
  readonly adopts?: boolean;
  /** True to accept the clock, however far it is from the last entry's time. */
  readonly acceptsClock?: boolean;
}
