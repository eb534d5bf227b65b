// HTTP side
// Where an engine listens, and who may speak to it there.
//
//   Owns:          the name of this machine's user.
//   Does not own:  the server (http), the page (inspector), the order of start and stop (compose.ts).

import { userInfo } from "node:os";
import { RefusedError } from "../runtime/errors.ts";
import { type HttpServer, startHttp } from "./http/index.ts";
import { inspectorPage } from "./inspector/index.ts";

export interface HttpPlace {
  /** 0 takes any. */
  readonly port: number;
  readonly token: string;
}

type Inside = Omit<Parameters<typeof startHttp>[0], "host" | "port" | "tokens" | "page">;

const HOST = "127.0.0.1";

/** @throws RefusedError PORT_IN_USE */
export async function listen(inside: Inside, { port, token }: HttpPlace): Promise<HttpServer> {
  try {
    const tokens = [{ name: `local:${userName()}`, token }];
    return await startHttp({ ...inside, host: HOST, port, tokens, page: inspectorPage() });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new RefusedError(
      "PORT_IN_USE",
      `Port ${port} on ${HOST} is taken.`,
      "If an engine runs there, use it: `npx signalbox ls`. Else choose another port with --port.",
    );
  }
}

/** The one who answers with this machine's token. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
