// LangGraph server
// A call as a thread: the first request starts its graph, each later one resumes it at the interrupt it waits in.
//
// Its durability is "sync": a checkpoint is written before the next step. SQLite syncs each commit, as an engine must
// that answers only what outlives a power failure; as better-sqlite3 is built, its write-ahead log would not.

import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { serveSteps } from "./steps.js";

const State = Annotation.Root({ state: Annotation(), body: Annotation() });
const later = (state) => () => ({ state, body: interrupt(state) });

const checkpointer = SqliteSaver.fromConnString(process.argv[2]);
checkpointer.db.pragma("journal_mode = WAL");
checkpointer.db.pragma("synchronous = FULL");
const graph = new StateGraph(State)
  .addNode("started", ({ body }) => ({ state: "started", body }))
  .addNode("asked", later("asked"))
  .addNode("approved", later("approved"))
  .addNode("finished", later("finished"))
  .addEdge(START, "started")
  .addEdge("started", "asked")
  .addEdge("asked", "approved")
  .addEdge("approved", "finished")
  .addEdge("finished", END)
  .compile({ checkpointer });

serveSteps((id, step, body) =>
  graph.invoke(step === "started" ? { body } : new Command({ resume: body }), {
    configurable: { thread_id: id },
    durability: "sync",
  }),
);
