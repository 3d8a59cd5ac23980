import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openMcpEnvironment } from '../../../shared/environments/mcp/mcp-environment.ts'
import { mcpRegistrationSchema } from '../../../shared/environments/mcp/mcp-registration.ts'
import { McpSessions } from '../../../shared/environments/mcp/mcp-sessions.ts'
import { readCallAnswer } from '../../../shared/play/methods/tool-dialect.ts'
import { serveOverHttp } from './serve-over-http.ts'

const { signal } = new AbortController()

function openEditServer(): McpServer {
  const server = new McpServer({ name: 'edit', version: '1' })
  const said = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })
  const inputSchema = { old: z.string(), edits: z.array(z.object({ text: z.string() })) }
  server.registerTool('fs.edit_file', { inputSchema }, (given) => said(given))
  server.registerTool('fs_edit_file', { inputSchema }, () => said('the other'))
  return server
}

test('a tool whose name providers refuse is called by its tidied name, with every space of its arguments', async () => {
  const registration = mcpRegistrationSchema.parse({
    kind: 'mcp',
    server: { address: (await serveOverHttp(openEditServer)).address },
    tasks: { test: [{ id: 'edit', instruction: 'Edit.', answer: 'x' }] },
    reward: { from: 'answer' },
  })
  const environment = await openMcpEnvironment('lab', registration, '.')
  const [task] = environment.tasks()
  const { tools = [] } = task === undefined ? {} : environment.describe(task)
  expect(tools.map(({ name }) => name)).toEqual(['fs_edit_file_2', 'fs_edit_file', 'submit'])
  const given = { old: '    x = 1\n', edits: [{ text: '\t\ty = 2 \n' }] }
  const call = { name: 'fs_edit_file_2', arguments: JSON.stringify(given) }
  const answer = { content: '', tool_calls: [{ id: 'x', type: 'function' as const, function: call }] }
  const { action } = readCallAnswer(answer, { tools, branches: false }, 'e')
  expect(action).toMatch(/^fs\.edit_file \{/)
  if (environment.host.kind !== 'mcp') throw new Error('It is another kind of environment.')
  const sessions = new McpSessions('lab', environment.host)
  const { live } = await sessions.open({ task: 'edit', seed: 0, holder: 'test' }, signal)
  expect(JSON.parse((await live.step(action, signal)).observation)).toEqual(given)
  await live.close()
})
