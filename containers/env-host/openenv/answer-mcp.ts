import { z } from 'zod'

const requestSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
})

const codes = { invalid: -32600, unknown: -32601, internal: -32603 }

/**
 * The answers of OpenEnv's `/mcp`. These environments have no tools: their one action is a text over `/ws`, so the
 * methods for tools return an error, as OpenEnv's own server does for such an environment.
 */
export function answerMcp(request: unknown): object {
  const parsed = requestSchema.safeParse(request)
  if (!parsed.success) return failure(null, codes.invalid, 'Invalid request: JSON-RPC 2.0 is spoken here.')
  const { id = null, method } = parsed.data
  if (method === 'tools/list' || method === 'tools/call') {
    return failure(id, codes.internal, 'Environment does not support MCP')
  }
  return failure(id, codes.unknown, `Method not found: ${method}`)
}

export const mcpParseError = failure(null, -32700, 'Parse error')

function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
