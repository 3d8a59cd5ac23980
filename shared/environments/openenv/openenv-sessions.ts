import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { SessionPlaces } from '../agentgym/session-places.ts'
import type { HostedEnvironment } from '../environment.ts'
import { SessionLostError } from '../session-lost-error.ts'
import type { LiveEnvironment, SessionRequest, SessionResult, SessionSource } from '../session-source.ts'
import { isObject } from '../tools/json-schema.ts'
import { toReward } from '../tools/outside-reward.ts'
import { renderFields, renderToolResult } from '../tools/render-observation.ts'
import { readOpenenvAction } from './openenv-actions.ts'
import { listOpenenvTasks, openenvServerName } from './openenv-environment.ts'
import type { OpenenvAnswer, OpenenvSocket } from './openenv-socket.ts'

const looks = { first: 200, most: 5000 }

type OpenenvHost = Extract<HostedEnvironment['host'], { kind: 'openenv' }>

const resultSchema = z.object({
  observation: jsonObjectSchema,
  reward: z.union([z.number(), z.boolean()]).nullish(),
  done: z.boolean().nullish(),
})

export class OpenenvSessions implements SessionSource {
  readonly #id: string
  readonly #host: OpenenvHost
  readonly #resets: ReadonlyMap<string, JsonObject>
  readonly #places: SessionPlaces

  constructor(id: string, host: OpenenvHost) {
    this.#id = id
    this.#host = host
    this.#resets = new Map(
      listOpenenvTasks(id, host.registration).map(({ id: task, reset }) => [task, reset]),
    )
    this.#places = new SessionPlaces(host.registration.max_sessions)
  }

  async open(
    { task, seed, onNoRoom }: SessionRequest,
    signal: AbortSignal,
    leaving = signal,
  ): Promise<{ live: LiveEnvironment; result: SessionResult }> {
    const known = this.#resets.get(task)
    if (known === undefined) {
      const examples = [...this.#resets.keys()].slice(0, 3).join(', ')
      const message = `${this.#id} has no task "${task}". Its tasks are such as ${examples}.`
      throw new EspalierError('unknown_task', message, { param: 'tasks.ids' })
    }
    // OpenEnv has no negative seeds.
    const reset = { seed: Math.abs(seed), ...known }
    await this.#places.take(leaving, onNoRoom)
    try {
      for (let pause = looks.first; ; pause = Math.min(pause * 2, looks.most)) {
        const opened = await this.#start(reset, signal)
        if (opened !== null) return opened
        onNoRoom?.()
        await wait(pause, undefined, { signal: leaving })
      }
    } catch (error) {
      this.#places.giveBack()
      throw error
    }
  }

  async #start(
    reset: JsonObject,
    signal: AbortSignal,
  ): Promise<{ live: LiveEnvironment; result: SessionResult } | null> {
    const name = openenvServerName(this.#id)
    const { OpenenvSocket } = await import('./openenv-socket.ts')
    const socket = await OpenenvSocket.open(name, this.#host.address, signal)
    const onClose = () => this.#places.giveBack()
    const live = new OpenenvSession({ name, host: this.#host, socket, reset, onClose })
    try {
      return { live, result: await live.restore(null, signal) }
    } catch (error) {
      await socket.close()
      if (error instanceof NoRoomError) return null
      throw error
    }
  }
}

class NoRoomError extends SessionLostError {}

interface SessionParts {
  name: string
  host: OpenenvHost
  socket: OpenenvSocket
  reset: JsonObject
  onClose(): void
}

class OpenenvSession implements LiveEnvironment {
  readonly #parts: SessionParts
  #earned: number | null = null
  #best = 0
  #isDone = false
  #isLost = false
  #isClosed = false

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  async step(action: string, signal: AbortSignal): Promise<SessionResult> {
    if (this.#isDone)
      throw new EspalierError('session_done', 'The episode is over. Reset it before the next step.')
    const { form, tools } = this.#parts.host.actions
    const reading = readOpenenvAction(action, form, tools)
    if ('feedback' in reading) return this.#toResult(reading.feedback, false)
    const answer = await this.#ask({ type: 'step', data: reading.action }, signal)
    if (answer.type === 'error') return this.#toResult(this.#refusal(answer), false)
    const { observation, reward, done } = this.#read('step', answer)
    if (reward !== null && reward !== undefined) this.#earn(Number(reward))
    this.#isDone = done === true
    if (this.#isDone && this.#earned === null) {
      throw this.#failed(
        'a step that ended the episode without any reward in it, which leaves open whether the task was solved',
        'Let the environment give a reward',
      )
    }
    return this.#toResult(this.#render(observation), !hasToolError(observation))
  }

  async restore(snapshot: object | null, signal: AbortSignal): Promise<SessionResult> {
    if (snapshot !== null) {
      throw new EspalierError('not_supported', 'An OpenEnv server has no snapshots. Replay its path.')
    }
    const answer = await this.#ask({ type: 'reset', data: this.#parts.reset }, signal)
    if (answer.type === 'error') {
      const said = shown(answer)
      if (answer.data.code === 'CAPACITY_REACHED')
        throw new NoRoomError(`${this.#parts.name} is full: ${said}`)
      throw this.#failed(`the reset with the error ${said}`, 'Check "tasks" in environments.json')
    }
    const { observation, done } = this.#read('reset', answer)
    this.#earned = null
    this.#best = 0
    this.#isDone = done === true
    return this.#toResult(this.#render(observation), true)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#isLost) this.#parts.socket.cut()
    else await this.#parts.socket.close()
    this.#parts.onClose()
  }

  async #ask(message: JsonObject, signal: AbortSignal): Promise<OpenenvAnswer> {
    try {
      const answer = await this.#parts.socket.ask(message, signal)
      const isGone = answer.type === 'error' && answer.data.code === 'SESSION_ERROR'
      if (isGone)
        throw new SessionLostError(`${this.#parts.name} no longer has the session: ${shown(answer)}`)
      return answer
    } catch (error) {
      this.#isLost = true
      throw error
    }
  }

  #read(asked: string, { type, data }: OpenenvAnswer): z.infer<typeof resultSchema> {
    const parsed = type === 'observation' ? resultSchema.safeParse(data) : null
    if (parsed?.success) return parsed.data
    throw this.#failed(`the ${asked} with another shape than OpenEnv has`, 'Check its version')
  }

  #refusal(answer: OpenenvAnswer): string {
    const { code } = answer.data
    if (code === 'VALIDATION_ERROR') return `The action was not understood: ${shown(answer)}`
    if (code === 'EXECUTION_ERROR' && this.#parts.host.registration.step_errors === 'invalid_action') {
      return `The action failed: ${shown(answer)}`
    }
    throw this.#failed(
      `a step with the error ${shown(answer)} (${String(code)})`,
      'Where it refuses actions so, say "step_errors": "invalid_action" in environments.json',
    )
  }

  #earn(reward: number): void {
    const { reward: counted } = this.#parts.host.registration
    const before = this.#earned
    if (before === null || counted === 'last') this.#earned = reward
    else this.#earned = counted === 'sum' ? before + reward : Math.max(before, reward)
  }

  #render(observation: JsonObject): string {
    const { actions, registration } = this.#parts.host
    const { metadata: _, done: _done, reward: _reward, ...all } = observation
    const { observation_fields: wanted } = registration
    if (wanted !== undefined) {
      return renderFields(
        Object.fromEntries(wanted.flatMap((name) => (name in all ? [[name, all[name] ?? null]] : []))),
      )
    }
    if (actions.form.kind !== 'tools') return renderFields(all)
    const { tool_name: _tool, result = null, error = null, ...more } = all
    if (isObject(error)) return `The call failed: ${String(error.message ?? JSON.stringify(error))}`
    if (!isObject(result)) return renderFields({ result, ...more })
    const text = renderToolResult(result)
    return Object.values(more).every((value) => value === null)
      ? text
      : renderFields({ result: text, ...more })
  }

  #toResult(observation: string, valid: boolean): SessionResult {
    const { reward_range: range } = this.#parts.host.registration
    const reward = this.#earned === null ? 0 : toReward(this.#earned, range)
    this.#best = Math.max(this.#best, Math.min(1, reward))
    const done = this.#isDone
    return { observation, reward, done, valid, progress: this.#best, state_hash: null, snapshot: null }
  }

  #failed(what: string, wayOut: string): EspalierError {
    return new EspalierError('endpoint_failed', `${this.#parts.name} answered ${what}. ${wayOut}.`)
  }
}

function shown({ data }: OpenenvAnswer): string {
  const faults = Array.isArray(data.errors) ? data.errors.filter(isObject) : []
  const said = faults.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : ''}: ${String(msg)}`)
  return clipText([String(data.message ?? 'no message'), ...said].join('; '), 1000)
}

function hasToolError({ error, result }: JsonObject): boolean {
  if (isObject(error) && 'error_type' in error) return true
  return isObject(result) && (result.is_error === true || result.isError === true)
}
