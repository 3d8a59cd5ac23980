import { Hono } from 'hono'
import { type FacadeRoots, mountFacades } from '../../../containers/env-host/mount-facades.ts'
import { servePure } from '../../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../../containers/env-host/served-environments.ts'
import type { ServedEnvironment } from '../../../containers/env-host/session-backend.ts'
import { SessionTable } from '../../../containers/env-host/session-table.ts'
import { TableSessions } from '../../../containers/env-host/table-sessions.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { EnvironmentTask, PureEnvironment } from '../../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../../shared/environments/environment-definition.ts'
import { textcraftDefinition } from '../../../shared/environments/textcraft/definition.ts'

/** A host with facades, and no server: TextCraft, and scripts in the place of the other environments. */
export async function facadeHost({
  slots = 100,
  roots = { agentgym: null, openenv: null },
  definitions = [textcraftDefinition],
  inspect,
  change = (environment) => environment,
}: {
  slots?: number
  roots?: FacadeRoots
  definitions?: readonly EnvironmentDefinition[]
  /** What the environments state beside their answers, after so many steps. */
  inspect?: (what: string, steps: number) => Json | null
  change?: (environment: ServedEnvironment) => ServedEnvironment
} = {}) {
  const served = await Promise.all(definitions.map((definition) => servePure(definition)))
  const found = served.filter((environment) => environment !== null)
  const environments = new ServedEnvironments(
    (inspect ? found.map((one) => telling(one, inspect)) : found).map(change),
  )
  let now = 0
  const table = new SessionTable({ environments, slots, sessionIdle: 600, now: () => now })
  const app = new Hono()
  const errors: object[] = []
  const log = (level: string, event: string, fields?: object) => {
    if (level === 'error') errors.push({ event, ...fields })
  }
  mountFacades(app, new TableSessions(table), roots, log)
  return {
    app,
    table,
    errors,
    /** Lets time go by, in seconds. */
    wait: (seconds: number) => {
      now += seconds * 1000
    },
    get: (path: string) => app.request(path),
    post: (path: string, body?: unknown) =>
      app.request(path, {
        method: 'POST',
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
  }
}

function telling(
  environment: ServedEnvironment,
  inspect: (what: string, steps: number) => Json | null,
): ServedEnvironment {
  return {
    ...environment,
    async open(request) {
      const backend = await environment.open(request)
      let steps = 0
      return {
        reset: () => {
          steps = 0
          return backend.reset()
        },
        step: (action) => {
          steps += 1
          return backend.step(action)
        },
        validActions: () => backend.validActions(),
        inspect: async (what) => inspect(what, steps),
        close: () => backend.close(),
      }
    },
  }
}

interface ScriptedAnswer {
  observation: string
  reward?: number
  done?: boolean
}

/** An environment that answers from a table. Its state counts the steps, and lists what may be done. */
export function scriptedDefinition(
  id: string,
  tasks: readonly Pick<EnvironmentTask, 'id' | 'type'>[],
  {
    opening,
    answers,
    actions,
  }: { opening: string; answers: Record<string, ScriptedAnswer>; actions: string[] },
): EnvironmentDefinition {
  const core = {
    reset: (task: string) => ({ state: { task }, observation: opening.replace('{task}', task) }),
    step: (state: { task: string }, action: string) => {
      const { observation, reward = 0, done = false } = answers[action] ?? { observation: 'Nothing happens.' }
      return { state, observation, reward, done, valid: action in answers, progress: reward }
    },
    validActions: () => actions,
  }
  const environment: PureEnvironment<{ task: string }> = {
    id,
    description: 'A script.',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: 10,
    tasks: () => tasks.map((task) => ({ split: 'test', description: task.id, ...task })),
    describe: () => ({ rules: 'Do as you like.', example: null }),
    open: async () => core,
  }
  return { id, open: async () => environment as unknown as PureEnvironment }
}
