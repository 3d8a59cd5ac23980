import { McpConnection } from '../../../shared/environments/mcp/mcp-connection.ts'

// Holds a session with an MCP server and prints the server's process id, until it is killed.
const server = { command: JSON.parse(process.argv[2] ?? '[]') as string[], folder: '.', variables: [] }
const { signal } = new AbortController()
const connection = await McpConnection.open({ id: 'held', server, folder: import.meta.dirname }, signal)
const answer = await connection.call('process', {}, signal)
if (answer.kind === 'result') console.log((answer.result.content as { text: string }[])[0]?.text)
setInterval(() => undefined, 1000)
