// OIDC: signs users in by an organisation's identity provider, and decides which of them may come in.

export { openProvider, type ProviderOptions } from "./provider.ts";
export { type HolderList, nobodyYet, readHolderList } from "./holder-list.ts";
