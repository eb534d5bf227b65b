// OIDC: signs people in by an organisation's identity provider, and says which of them are let in.

export { openProvider } from "./provider.ts";
export type { ProviderOptions } from "./provider.ts";
export { nobodyYet, readPeople } from "./people.ts";
export type { People } from "./people.ts";
