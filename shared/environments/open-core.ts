import { deserialize, serialize } from 'node:v8'
import type { JsonObject } from '../core/contracts/json.ts'
import type {
  IsolatedCore,
  IsolatedEnvironment,
  KeptState,
  PureCore,
  PureEnvironment,
  ResetResult,
  StepResult,
} from './environment.ts'
import { isPure } from './environment.ts'

export interface OpenCore {
  reset(seed: number): Promise<ResetResult<JsonObject>>
  step(state: JsonObject, action: string): Promise<StepResult<JsonObject> & { given: JsonObject }>
  validActions(state: JsonObject): Promise<{ actions: readonly string[] | null; given: JsonObject }>
}

export async function openCore(
  environment: PureEnvironment | IsolatedEnvironment,
  task: string,
  caller: string,
): Promise<OpenCore> {
  if (isPure(environment)) return openHere(await environment.open(task), task)
  return openIsolated(environment.isolate(task), caller)
}

function openHere(core: PureCore, task: string): OpenCore {
  return {
    reset: async (seed) => core.reset(task, seed),
    step: async (state, action) => ({ ...core.step(state, action), given: state }),
    validActions: async (state) => ({ actions: core.validActions?.(state) ?? null, given: state }),
  }
}

function openIsolated(core: IsolatedCore, caller: string): OpenCore {
  const call = { caller, step: null, watch: true }
  const givenOf = (given: Uint8Array | undefined, state: JsonObject) =>
    given === undefined ? state : (deserialize(given) as JsonObject)
  return {
    async reset(seed) {
      const { state, observation } = await core.reset(seed, { ...call, step: 0 })
      return { state: readState(state), observation }
    },
    async step(state, action) {
      const { given, ...result } = await core.step(keepState(state), action, call)
      return { ...result, state: readState(result.state), given: givenOf(given, state) }
    },
    async validActions(state) {
      const { actions, given } = await core.validActions(keepState(state), call)
      return { actions, given: givenOf(given, state) }
    },
  }
}

function readState({ bytes }: KeptState): JsonObject {
  return deserialize(bytes) as JsonObject
}

function keepState(state: JsonObject): KeptState {
  return { bytes: serialize(state), hash: '' }
}
