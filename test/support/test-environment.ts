import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type {
  Environment,
  PureCore,
  PureEnvironment,
  ResetResult,
  StepResult,
} from '../../shared/environments/environment.ts'
import type { Environments } from '../../shared/environments/open-environments.ts'

/** A made-up environment, with its rules at hand. */
export type TestEnvironment<State extends JsonObject = JsonObject> = PureEnvironment<State> & PureCore<State>

/** What a made-up environment has to say; the rest is filled in. */
export interface TestRules<State> {
  reset(task: string, seed: number): ResetResult<State>
  step(
    state: State,
    action: string,
  ): Pick<StepResult<State>, 'state' | 'observation' | 'reward' | 'done'> & Partial<StepResult<State>>
}

export function createTestEnvironment<State extends JsonObject>(
  { reset, step }: TestRules<State>,
  facts: Partial<PureEnvironment<State>> = {},
): TestEnvironment<State> {
  const core: PureCore<State> = {
    reset,
    step: (state, action) => ({ valid: true, progress: 0, ...step(state, action) }),
  }
  return {
    id: 'textcraft',
    description: 'Made up for a test.',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: 50,
    tasks: () => [{ id: 'task', split: 'test', type: 'any', description: 'any' }],
    describe: () => ({ rules: 'Do as you are told.', example: null }),
    ...facts,
    open: async () => core,
    ...core,
  }
}

/** The one environment there is, whatever it is asked for as. */
export function onlyEnvironment(environment: Environment): Environments {
  const opened = {
    environment,
    pack: null,
    definition: { id: environment.id, open: async () => environment },
  }
  return { list: async () => [opened], open: async () => opened }
}
