import { EspalierError } from '../../core/contracts/errors.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import { SessionLostError } from '../session-lost-error.ts'
import { calledTools } from '../tools/called-tools.ts'
import { describeTools } from '../tools/describe-tools.ts'
import type { Tool } from '../tools/tool-call.ts'
import { McpConnection, type McpServerPlace, mcpServerName } from './mcp-connection.ts'
import type { McpRegistration, McpTask } from './mcp-registration.ts'

const longestLook = 60_000

/**
 * Opens the environment formed by the tools of an MCP server. Connects to the server once, here, for the names and
 * schemas of its tools.
 * @param folder the folder of `environments.json`
 * @throws EspalierError `host_unreachable`; `endpoint_failed` for a server that breaks the protocol;
 * `invalid_request` if the registration names a tool that the server lacks
 */
export async function openMcpEnvironment(
  id: string,
  registration: McpRegistration,
  folder: string,
): Promise<HostedEnvironment> {
  const place = { id, server: registration.server, folder }
  const { tools: all, instructions } = await look(place)
  checkTools(id, registration, all)
  const tools = shownTools(registration, all)
  const tasks = listMcpTasks(registration).map(({ split, task }): EnvironmentTask => {
    const { instruction, description = clipText(instruction.replace(/\s+/g, ' '), 200), max_steps } = task
    return { id: task.id, split, type: 'mcp', description, ...(max_steps !== undefined && { max_steps }) }
  })
  const { description = `Tools of an MCP server: ${tools.map(({ name }) => name).join(', ')}.` } =
    registration
  const parts = [registration.rules ?? instructions, describeTools(tools), describeEnd(registration)]
  const rules = parts.filter((part) => part.trim() !== '').join('\n\n')
  const guide = { rules, tools: calledTools(tools), example: null }
  const { deterministic, success_threshold, default_max_steps } = registration
  return {
    id,
    description: clipText(description, 1000),
    snapshot: 'replay',
    deterministic,
    success_threshold,
    default_max_steps,
    tasks: () => tasks,
    describe: () => guide,
    host: { kind: 'mcp', registration, folder, tools },
  }
}

export function listMcpTasks({
  tasks,
}: Pick<McpRegistration, 'tasks'>): { id: string; split: string; task: McpTask }[] {
  return Object.entries(tasks).flatMap(([split, listed]) =>
    listed.map((task) => ({ id: task.id, split, task })),
  )
}

export function findMcpContradiction(
  registration: McpRegistration,
): { field: string; message: string } | null {
  const { reward, finish } = registration
  if (reward.from !== 'answer') return null
  if (!('action' in finish)) {
    const message =
      'A reward from the answer needs an action that submits one: leave "finish" out, or give it an "action".'
    return { field: 'finish', message }
  }
  const without = listMcpTasks(registration).find(({ task }) => task.answer === undefined)
  if (without === undefined) return null
  const message = `The reward is from the answer, and the task "${without.id}" has none. Give it an "answer".`
  return { field: `tasks.${without.split}`, message }
}

async function look(place: McpServerPlace): Promise<{ tools: Tool[]; instructions: string }> {
  const signal = AbortSignal.timeout(longestLook)
  try {
    const connection = await McpConnection.open(place, signal)
    try {
      return { tools: await connection.listTools(signal), instructions: connection.instructions }
    } finally {
      await connection.close()
    }
  } catch (cause) {
    if (EspalierError.isInstance(cause)) throw cause
    if (!(cause instanceof SessionLostError) && !signal.aborted) throw cause
    const what =
      cause instanceof SessionLostError ? cause.message : `${mcpServerName(place.id)} took too long.`
    throw new EspalierError(
      'host_unreachable',
      `${what} Start it, or correct its entry in environments.json.`,
      {
        cause,
      },
    )
  }
}

/**
 * @throws EspalierError `invalid_request` for a tool that the server lacks, or a tool with the name of one of our
 * actions
 */
function checkTools(id: string, registration: McpRegistration, tools: readonly Tool[]): void {
  const { setup, finish, reward, tools: wanted = [] } = registration
  const named: [string, string][] = [
    ...wanted.map((tool): [string, string] => ['tools', tool]),
    ...setup.map(({ tool }): [string, string] => ['setup', tool]),
    ...listMcpTasks(registration).flatMap(({ split, task }) =>
      task.setup.map(({ tool }): [string, string] => [`tasks.${split}`, tool]),
    ),
    ...('tool' in finish ? [['finish.tool', finish.tool] as [string, string]] : []),
    ...('tool' in reward ? [['reward.tool', reward.tool] as [string, string]] : []),
  ]
  const names = tools.map(({ name }) => name)
  const missing = named.find(([, tool]) => !names.includes(tool))
  const fault = (field: string, message: string) =>
    new EspalierError('invalid_request', `environments.${id}.${field}: ${message}`, {
      param: `environments.${id}.${field}`,
    })
  if (missing !== undefined) {
    const [field, tool] = missing
    throw fault(field, `${mcpServerName(id)} has no tool "${tool}". It has: ${names.join(', ') || 'none'}.`)
  }
  if ('action' in finish && names.includes(finish.action)) {
    throw fault(
      'finish.action',
      `The server has a tool "${finish.action}". Name the action otherwise, or end the task by that tool.`,
    )
  }
  if (shownTools(registration, tools).length === 0) throw fault('tools', 'No tool is left for the agent.')
}

function shownTools(registration: McpRegistration, all: readonly Tool[]): Tool[] {
  const { tools: wanted, finish, reward, setup } = registration
  const hidden = new Set([
    ...setup.map(({ tool }) => tool),
    ...listMcpTasks(registration).flatMap(({ task }) => task.setup.map(({ tool }) => tool)),
    ...(reward.from === 'check' ? [reward.tool] : []),
  ])
  const shown = all.filter(({ name }) => (wanted === undefined ? !hidden.has(name) : wanted.includes(name)))
  if ('tool' in finish) return shown
  const answer = { type: 'string', description: 'The answer, where the task asks for one' }
  const schema = { type: 'object', properties: { answer } }
  return [...shown, { name: finish.action, description: 'Ends the task.', schema }]
}

function describeEnd({ finish }: McpRegistration): string {
  if ('action' in finish) return `When the task is done, end it by: ${finish.action} ANSWER`
  return finish.field === undefined ? `Calling ${finish.tool} ends the task.` : ''
}
