// Where
// Names a session in words that people know: its title, client, folder and branch.
//
//   Owns:          the words that name a session, the link to the session.
//   Does not own:  caching what was read about sessions (engine).

import { useAsked } from "../../engine/asked.ts";
import { sessionOf } from "../../engine/engine.ts";
import { atEngine } from "../../engine/at-peer.tsx";
import { Line } from "../../parts/text.tsx";
import { hrefOf } from "../../route.ts";
import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { titleLine } from "../../../../../runtime/text/title-line.ts";

type Props = Pick<ApprovalView, "workspace" | "sessionId" | "engine">;

export function Where({ workspace, sessionId: session, engine }: Props) {
  // The id of the session is shown even if the session cannot be read.
  const view = useAsked([workspace, session], () => sessionOf(workspace, session));
  const { title, cwd, branch, client } = view ?? {};
  return (
    <a class="where" href={hrefOf({ view: "session", workspace, session })}>
      <span class="session-title one-line">
        <Line text={titleLine(title ?? session)} />
      </span>
      <span class="quiet folder one-line">
        <Line
          text={[client, cwd === undefined ? workspace : lastOf(cwd), branch, atEngine(engine)]
            .filter(Boolean)
            .join(" · ")}
        />
      </span>
    </a>
  );
}

/** The last two folders of a path, which distinguish one checkout from another. */
const lastOf = (path: string): string => path.split("/").slice(-2).join("/");
