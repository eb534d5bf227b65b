// Head
// The heading of a session: its title, its state, where it runs and what it has cost.
//
//   Owns:          the wording of the heading.
//   Does not own:  what happens in the session now (now).

import type { ToldCost } from "../../../../runtime/reading/conversation.ts";
import type { SessionView } from "../../../../runtime/rows/views.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";
import { useAsked } from "../engine/asked.ts";
import { sessionOf } from "../engine/engine.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf } from "../route.ts";
import { Cost } from "./cost.tsx";

interface HeadProps {
  readonly workspace: string;
  readonly id: string;
  readonly session: SessionView | undefined;
  readonly cost: ToldCost | undefined;
}

export function Head({ workspace, id, session, cost }: HeadProps) {
  const { cwd, branch, model, client } = session ?? {};
  // The changes of a session do not name its engine.
  const engine = useAsked([workspace, id], () => sessionOf(workspace, id))?.engine;
  const where = [cwd, branch, model, client, `${workspace}/${id}`, atEngine(engine)].filter(Boolean);
  return (
    <header class="session-head">
      <h1 id="session-title">
        <Line text={titleLine(session?.title ?? id)} />
      </h1>
      <a
        href={hrefOf({ view: "machine", workspace, session: id, kind: "session", id })}
        class={`chip ${session?.state ?? ""}`}
        title={`${session?.state ?? "unknown"}: its machine`}
      >
        {session ? labelOf(session.state) : "Unknown"}
      </a>
      <p class="quiet">
        <Line text={where.join(" · ")} />
        {session && (
          <>
            {" · last active "}
            <Since at={session.lastEvent.at} /> ago
          </>
        )}
        <Cost cost={cost} />
      </p>
    </header>
  );
}
