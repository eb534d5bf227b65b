// MCP: a server of one tool, over standard input and output.

export { serveTool, type Tool } from "./server.ts";
