import { Hono } from 'hono'
import { type FacadeRoots, mountFacades } from '../../../containers/env-host/mount-facades.ts'
import { servePure } from '../../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../../containers/env-host/served-environments.ts'
import { SessionTable } from '../../../containers/env-host/session-table.ts'
import { TableSessions } from '../../../containers/env-host/table-sessions.ts'
import type { EnvironmentTask, PureEnvironment } from '../../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../../shared/environments/environment-definition.ts'
import { textcraftDefinition } from '../../../shared/environments/textcraft/definition.ts'

/** A host with facades, and no server: TextCraft, and scripts in the place of the other environments. */
export async function facadeHost({
  slots = 100,
  roots = { agentgym: null, openenv: null },
  definitions = [textcraftDefinition],
}: {
  slots?: number
  roots?: FacadeRoots
  definitions?: readonly EnvironmentDefinition[]
} = {}) {
  const served = await Promise.all(definitions.map((definition) => servePure(definition)))
  const environments = new ServedEnvironments(served.filter((environment) => environment !== null))
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
