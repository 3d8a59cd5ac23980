import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

/** An MCP server by the SDK: a number that is to become another one. */
export function openNumberServer(): McpServer {
  const state = { number: 0, goal: 0 }
  const server = new McpServer({ name: 'number', version: '1' }, { instructions: 'You change a number.' })
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })

  server.registerTool(
    'prepare',
    { description: 'Sets the goal.', inputSchema: { goal: z.int() } },
    ({ goal }) => {
      Object.assign(state, { number: 0, goal })
      return said(`The number is 0, the goal ${goal}.`)
    },
  )
  server.registerTool(
    'add',
    { description: 'Adds to the number.', inputSchema: { amount: z.int().max(100).describe('How much') } },
    ({ amount }) => {
      if (amount < 0) return { ...said('Only more is possible.'), isError: true }
      state.number += amount
      return said(`The number is ${state.number}.`)
    },
  )
  server.registerTool(
    'guess',
    {
      description: 'Says whether the goal is reached.',
      outputSchema: { reached: z.boolean(), share: z.number() },
    },
    () => {
      const share = Math.min(1, state.number / state.goal)
      return { ...said(String(share)), structuredContent: { reached: share === 1, share } }
    },
  )
  server.registerTool('score', { inputSchema: { answer: z.string().optional() } }, ({ answer }) =>
    said(JSON.stringify({ points: state.number === state.goal ? 10 : 5, answer: answer ?? null })),
  )
  server.registerTool('break', {}, () => {
    throw new McpError(-32603, 'broken')
  })
  return server
}
