import { isDeepStrictEqual } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import type { JsonObject } from '../../core/contracts/json.ts'
import { hideVariables } from '../../core/programs/hide-variables.ts'
import { askPool, endWithParent, serveCalls } from '../../core/threads/serve-calls.ts'
import { findWrongField, findWrongState, showValue, type WrongField } from '../check-result.ts'
import { isPure, type PureCore, type PureEnvironment, type StepResult } from '../environment.ts'
import { hashState } from '../hash-state.ts'
import { findNoJson } from '../validation/find-no-json.ts'
import type { ModuleAnswer, ModuleQuestion, ModuleRequest, ModuleStart } from './module-calls.ts'
import { readModule } from './read-module.ts'

const mostOpen = 64

endWithParent()
hideVariables()
const start = (await ask({ ask: 'start' })) as ModuleStart
const environment = await openEnvironment()
const cores = new Map<string, Promise<PureCore>>()
serveCalls(serve)

async function serve(request: ModuleRequest): Promise<ModuleAnswer> {
  const core = await openCore(request.task)
  if (request.op === 'reset') {
    const { state, observation } = core.reset(request.task, request.seed)
    return toAnswer({ state, observation, reward: 0, done: false, valid: true, progress: 0 })
  }
  const state = deserialize(request.state) as JsonObject
  const given = () => (request.watch ? { given: serialize(state) } : {})
  if (request.op === 'step') {
    const answer = toAnswer(core.step(state, request.action))
    return { ...answer, ...given() }
  }
  const actions = core.validActions?.(state) ?? null
  return { actions, ...given() }
}

function openCore(task: string): Promise<PureCore> {
  const known = cores.get(task)
  const opening = known ?? environment.open(task)
  cores.delete(task)
  cores.set(task, opening)
  if (known) return known
  opening.catch(() => cores.delete(task))
  const oldest = cores.size > mostOpen ? cores.keys().next().value : undefined
  if (oldest !== undefined) cores.delete(oldest)
  return opening
}

function toAnswer(result: StepResult<JsonObject>): ModuleAnswer {
  const { state, observation, reward, done, valid, progress } = result
  const answer = { observation, reward, done, valid, progress }
  const wrong = findWrongField(answer, start.bounds) ?? findWrongState(state)
  if (wrong !== null) return toWrong(wrong)
  const lost = (came: string) =>
    toWrong({ field: 'state', expected: 'a JSON object', came: undefined, shown: came })
  const noJson = findNoJson(state)
  let bytes: Uint8Array
  try {
    bytes = serialize(state)
  } catch (error) {
    return lost(noJson ?? String(error))
  }
  // Refuse states with class instances, which lose their methods in transit. Accept values that only JSON would
  // change, such as -0.
  if (noJson !== null && !isDeepStrictEqual(deserialize(bytes), state)) return lost(noJson)
  return { ...answer, state: bytes, hash: hashState(state) }
}

function toWrong({ field, expected, came, shown = showValue(came) }: WrongField): ModuleAnswer {
  return { wrong: { field, expected, came: undefined, shown } }
}

async function openEnvironment(): Promise<PureEnvironment> {
  const { file, id, pack, options } = start
  const definition = (await readModule(file)).find((each) => each.id === id)
  if (definition === undefined) throw new Error(`${file} exports no "${id}" any more.`)
  const read = async (path: string) => (await ask({ ask: 'file', path })) as Uint8Array
  const opened = await definition.open(pack && { ...pack, read }, options ?? undefined)
  if (isPure(opened)) return opened
  throw new Error(`${id} is not pure any more.`)
}

function ask(question: ModuleQuestion): Promise<unknown> {
  return askPool(question)
}
