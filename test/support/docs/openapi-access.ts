// OpenAPI: access
// The routes by which somebody comes in, learns who they are, and leaves; the shape of a route's entry.
//
//   Owns:          their entries, as OpenAPI describes them.
//   Does not own:  the other routes (openapi-routes).

import { query, text } from "./openapi-parameters.ts";
import { json, ok, plain, ref } from "./openapi-parts.ts";

export interface Route {
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly body?: object;
  readonly answers: Readonly<Record<string, object>>;
  readonly isOpen?: boolean;
}

const PROVIDER_LEADS = {
  ...ok("Nothing", "Leads on: to the provider, or to where it is told why nobody was signed in."),
  headers: { Location: { schema: text }, "Set-Cookie": { schema: text } },
};
const NO_PROVIDER = { description: "No provider is set, or not by https.", content: json(ref("Error")) };

export const ACCESS_ROUTES: Readonly<Record<string, Route>> = {
  "GET /v1/handshake": {
    summary: "Proves over TCP that this is the engine, before its caller says anything else.",
    parameters: [{ ...query("nonce", text), required: true }, query("tokenId", text)],
    isOpen: true,
    answers: { "200": ok("Greeting", "The engine's end of the connection, and the proof.") },
  },
  "GET /": {
    summary: "Shows the panel; with a token in the address, signs in.",
    parameters: [query("token", text), query("code", text)],
    isOpen: true,
    answers: {
      "200": plain("The panel.", "text/html"),
      "303": {
        ...ok("Nothing", "Signed in: a cookie, and the panel's address."),
        headers: { Location: { schema: text }, "Set-Cookie": { schema: text } },
      },
      "401": {
        description: "How to sign in: a page for a browser, text for everybody else.",
        content: { "text/html": { schema: text }, "text/plain": { schema: text } },
      },
    },
  },
  "GET /sign-in": {
    summary: "Sends a browser to the identity provider; only by https, and where one is set.",
    isOpen: true,
    answers: { "303": PROVIDER_LEADS, "404": NO_PROVIDER },
  },
  "GET /sign-in/back": {
    summary: "Where the provider sends the browser back to: signs in.",
    parameters: [query("code", text), query("state", text), query("iss", text), query("error", text)],
    isOpen: true,
    answers: {
      "200": plain("Signed in: a cookie, and a page that leads to the panel.", "text/html"),
      "303": PROVIDER_LEADS,
      "404": NO_PROVIDER,
    },
  },
  "GET /sign-in/failed": {
    summary: "Says why the provider signed nobody in, and what to do.",
    isOpen: true,
    answers: {
      "401": {
        description: "Why, and how to sign in.",
        content: { "text/html": { schema: text }, "text/plain": { schema: text } },
      },
      "404": NO_PROVIDER,
    },
  },
  "POST /v1/sign-out": {
    summary: "Signs this browser out: its cookie counts no more, its streams end.",
    body: { type: "object" },
    answers: { "200": ok("SignedOut", "Signed out. A request that comes by no cookie is refused.") },
  },
  "GET /v1/me": {
    summary: "Tells who asks, and what their token opens.",
    answers: {
      "200": ok(
        "Me",
        "The name that stands beside their answers, the parts, the workspaces: absent for all.",
      ),
    },
  },
  "POST /v1/sign-in-links": {
    summary:
      "Makes a code that signs one browser in as whoever asks, once, soon: /?code=… at `here`, or one of `origins`.",
    body: { type: "object" },
    answers: {
      "200": ok(
        "SignInLink",
        "The code, its end, and the addresses where it counts; `here` for a browser of the engine's machine.",
      ),
    },
  },
};
