// Requests
// A gateway's messages about its requests, in short form, and a request as it is shown.

import type { RequestCallback, RequestCreated, RequestMoved } from "../../../machines/inputs.ts";
import type { RequestId, SourceInput } from "../../../machines/index.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import type { RequestView } from "../../../runtime/rows/views.ts";
import type { Rig } from "../engine/rig.ts";

export const created = (id: string, more: Partial<RequestCreated> = {}): SourceInput => ({
  type: "request.created",
  requestId: id as RequestId,
  ...more,
});

export const moved = (
  type: RequestMoved["type"],
  id: string,
  more: Partial<RequestMoved> = {},
): SourceInput => ({ ...more, type, requestId: id as RequestId });

export const delivery = (id: string, state: RequestCallback["state"], error?: string): SourceInput => ({
  type: "request.callback",
  requestId: id as RequestId,
  state,
  ...(error !== undefined && { error }),
});

export const look = ({ engine }: Rig, id: string): RequestView | undefined =>
  new Queries(engine).getRequest(id);
