import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { openNumberServer } from './number-server.ts'

// The number server on stdio, with tools that report on its process.
const server = openNumberServer()
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
server.registerTool('leave', {}, () => process.exit(3))
server.registerTool('variable', { inputSchema: { name: z.string() } }, ({ name }) =>
  said(process.env[name] ?? 'unset'),
)
server.registerTool('process', {}, () => said(String(process.pid)))

process.stderr.write(`ready with ${process.env.TEST_MCP_SECRET ?? 'nothing'}\n`)
if (process.argv.includes('--fail')) process.exit(2)
// Then it does not leave by itself when its input ends.
if (process.argv.includes('--stay')) setInterval(() => undefined, 1000)
await server.connect(new StdioServerTransport())
