import { EspalierError } from '../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { SessionPlaces } from '../agentgym/session-places.ts'
import type { HostedEnvironment } from '../environment.ts'
import type { LiveEnvironment, SessionRequest, SessionResult, SessionSource } from '../session-source.ts'
import { isObject } from '../tools/json-schema.ts'
import { readNumber, toReward } from '../tools/outside-reward.ts'
import { readJson, valueAt } from '../tools/read-json.ts'
import { renderToolResult, structuredOf } from '../tools/render-observation.ts'
import { readToolCall } from '../tools/tool-call.ts'
import { McpConnection, mcpServerName } from './mcp-connection.ts'
import { listMcpTasks } from './mcp-environment.ts'
import type { McpCall, McpTask } from './mcp-registration.ts'

type McpHost = Extract<HostedEnvironment['host'], { kind: 'mcp' }>

/**
 * Opens sessions on an MCP server. Each is a process of its own, or a session over streamable HTTP, after the task's
 * set-up calls. MCP has no seeds, so it ignores a request's seed.
 */
export class McpSessions implements SessionSource {
  readonly #id: string
  readonly #host: McpHost
  readonly #tasks: ReadonlyMap<string, McpTask>
  readonly #places: SessionPlaces

  constructor(id: string, host: McpHost) {
    this.#id = id
    this.#host = host
    this.#tasks = new Map(listMcpTasks(host.registration).map(({ id: name, task }) => [name, task]))
    this.#places = new SessionPlaces(host.registration.max_sessions)
  }

  async open(
    { task: named, onNoRoom }: SessionRequest,
    signal: AbortSignal,
    leaving = signal,
  ): Promise<{ live: LiveEnvironment; result: SessionResult }> {
    const task = this.#tasks.get(named)
    if (task === undefined) {
      const examples = [...this.#tasks.keys()].slice(0, 3).join(', ')
      const message = `${this.#id} has no task "${named}". Its tasks are such as ${examples}.`
      throw new EspalierError('unknown_task', message, { param: 'tasks.ids' })
    }
    await this.#places.take(leaving, onNoRoom)
    const live = new McpSession({
      id: this.#id,
      host: this.#host,
      task,
      onClose: () => this.#places.giveBack(),
    })
    try {
      return { live, result: await live.restore(null, signal) }
    } catch (error) {
      await live.close()
      throw error
    }
  }
}

interface SessionParts {
  id: string
  host: McpHost
  task: McpTask
  onClose(): void
}

class McpSession implements LiveEnvironment {
  readonly #parts: SessionParts
  #connection: McpConnection | null = null
  #reward = 0
  #best = 0
  #isDone = false
  #isClosed = false

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  async step(action: string, signal: AbortSignal): Promise<SessionResult> {
    if (this.#isDone)
      throw new EspalierError('session_done', 'The task has ended. Reset it before the next step.')
    const { registration, tools } = this.#parts.host
    const reading = readToolCall(action, tools)
    if ('feedback' in reading) return this.#toResult(reading.feedback, false)
    const { name, arguments: parameters } = reading.action
    const { finish } = registration
    if ('action' in finish && name === finish.action) return this.#submit(parameters.answer, signal)
    const answer = await this.#connected().call(name, parameters, signal)
    if (answer.kind === 'failed' && registration.step_errors === 'fail') {
      throw this.#failed(
        `failed in the tool "${name}" (${answer.message}). Where it refuses arguments so, say "step_errors": "invalid_action" in environments.json`,
      )
    }
    if (answer.kind !== 'result') return this.#toResult(`The call was refused: ${answer.message}`, false)
    const { result } = answer
    const failed = result.isError === true
    await this.#score(name, result, failed, signal)
    return this.#toResult(renderToolResult(result), !failed)
  }

  /** Restarts the task in another process or session, so that no earlier effect remains. */
  async restore(snapshot: object | null, signal: AbortSignal): Promise<SessionResult> {
    if (snapshot !== null) {
      throw new EspalierError('not_supported', 'An MCP server has no snapshots. Replay its path.')
    }
    await this.#connection?.close()
    this.#connection = null
    const { id, host, task } = this.#parts
    const { registration, folder } = host
    this.#connection = await McpConnection.open({ id, server: registration.server, folder }, signal)
    this.#reward = 0
    this.#best = 0
    this.#isDone = false
    const shown: string[] = []
    for (const call of [...registration.setup, ...task.setup]) {
      const text = await this.#prepare(call, signal)
      if (call.show) shown.push(text)
    }
    return this.#toResult([task.instruction, ...shown].join('\n\n'), true)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#connection?.close()
    this.#connection = null
    this.#parts.onClose()
  }

  async #prepare({ tool, arguments: parameters }: McpCall, signal: AbortSignal): Promise<string> {
    const answer = await this.#connected().call(tool, parameters, signal)
    if (answer.kind === 'result' && answer.result.isError !== true) return renderToolResult(answer.result)
    const said = answer.kind === 'result' ? renderToolResult(answer.result) : answer.message
    throw this.#failed(
      `could not prepare the task by "${tool}": ${clipText(said, 300)}. Check "setup" in environments.json`,
    )
  }

  async #submit(answer: Json | undefined, signal: AbortSignal): Promise<SessionResult> {
    const { host, task } = this.#parts
    const submitted = typeof answer === 'string' ? answer : answer === undefined ? '' : JSON.stringify(answer)
    this.#isDone = true
    const { reward } = host.registration
    if (reward.from === 'answer') this.#reward = isAnswer(submitted, task.answer ?? '') ? 1 : 0
    else await this.#check(submitted, signal)
    return this.#toResult('The task has ended.', true)
  }

  async #score(tool: string, result: JsonObject, failed: boolean, signal: AbortSignal): Promise<void> {
    const { finish, reward } = this.#parts.host.registration
    if (!failed && 'tool' in finish && finish.tool === tool) {
      this.#isDone = finish.field === undefined || readTrue(result, finish.field)
    }
    if (!failed && reward.from === 'result' && reward.tool === tool) this.#take(result, reward)
    await this.#check('', signal)
  }

  async #check(answer: string, signal: AbortSignal): Promise<void> {
    const { reward } = this.#parts.host.registration
    if (reward.from !== 'check' || (reward.when === 'end' && !this.#isDone)) return
    const parameters = withAnswer({ ...reward.arguments, ...this.#parts.task.check }, answer)
    const checked = await this.#connected().call(reward.tool, parameters, signal)
    if (checked.kind === 'result' && checked.result.isError !== true)
      return this.#take(checked.result, reward)
    const said = checked.kind === 'result' ? renderToolResult(checked.result) : checked.message
    throw this.#failed(
      `could not check the task by "${reward.tool}": ${clipText(said, 300)}. Check "reward" in environments.json`,
    )
  }

  #take(result: JsonObject, { tool, field }: { tool: string; field?: string | undefined }): void {
    const value = readReward(result, field)
    if (value === undefined) {
      const where = field === undefined ? 'no number' : `no number at "${field}"`
      throw this.#failed(
        `gave a result of "${tool}" that holds ${where}. Check "reward" in environments.json`,
      )
    }
    this.#reward = toReward(value, this.#parts.host.registration.reward_range)
  }

  #connected(): McpConnection {
    if (this.#connection !== null) return this.#connection
    throw new EspalierError('invalid_state', 'The session is closed.')
  }

  #toResult(observation: string, valid: boolean): SessionResult {
    const reward = this.#reward
    this.#best = Math.max(this.#best, Math.min(1, reward))
    const done = this.#isDone
    return { observation, reward, done, valid, progress: this.#best, state_hash: null, snapshot: null }
  }

  #failed(what: string): EspalierError {
    return new EspalierError('endpoint_failed', `${mcpServerName(this.#parts.id)} ${what}.`)
  }
}

/**
 * Reads the number in a tool's result: at a path of its structured content or of its text's JSON. Without a path, the
 * text is the number. Undefined if there is none, which is never a zero.
 */
function readReward(result: JsonObject, field: string | undefined): number | undefined {
  if (field !== undefined) return readNumber(valueIn(result, field))
  const text = readNumber(boolean(renderToolResult(result)))
  return text ?? readNumber(onlyValue(structuredOf(result)))
}

function readTrue(result: JsonObject, field: string): boolean {
  return valueIn(result, field) === true
}

function withAnswer(parameters: JsonObject, answer: string): JsonObject {
  return fill(parameters, answer) as JsonObject
}

function isAnswer(submitted: string, expected: string): boolean {
  return normalised(submitted) === normalised(expected)
}

function normalised(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').replace(/\.$/, '').trim().toLowerCase()
}

function valueIn(result: JsonObject, field: string): Json | undefined {
  const found = valueAt(structuredOf(result), field)
  return found === undefined ? valueAt(readJson(renderToolResult(result)), field) : found
}

function boolean(text: string): Json {
  const word = text.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : text
}

function onlyValue(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value
  const values = Object.values(value)
  return values.length === 1 ? values[0] : undefined
}

function fill(value: Json, answer: string): Json {
  if (typeof value === 'string') return value.replaceAll('{answer}', () => answer)
  if (Array.isArray(value)) return value.map((item) => fill(item, answer))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, answer)]))
}
