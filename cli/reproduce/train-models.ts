import { hash } from 'node:crypto'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { Loop, LoopPolicy } from '../../shared/core/contracts/loop.ts'
import { canonicalJson } from '../../shared/data/datasets/canonical-json.ts'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../connect.ts'
import { followRun } from '../follow-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'
import { followLoop, refuseUnfinished } from '../watch-loop.ts'
import type { NamedModel } from './paper-cells.ts'
import type { PlannedTraining } from './plan-trainings.ts'

export interface TrainedModels {
  environment: string
  loop: Loop
  models: Readonly<Record<string, NamedModel>>
}

// Trains the models of a recipe by its loop, and goes on with the loop of an earlier start.
// @param cost - the cap of this loop in US dollars; null: none
// @throws CommandError exit code 1 for a loop that is paused or failed, with the command that goes on
export async function trainModels(
  connection: Connection,
  planned: PlannedTraining,
  { cost, expert }: { cost: number | null; expert: NamedModel | null },
  options: GlobalOptions,
  terminal: Terminal,
): Promise<TrainedModels> {
  const { client } = connection
  const { environment, training } = planned
  // Caps may differ at another start, which goes on with the same loop.
  const name = `${String(planned.request.name)} · ${digestOf(planned.request).slice(0, 8)}`
  const begun = (await findLoop(client, name)) ?? (await begin(name))
  terminal.note(`training in ${environment}: ${begun.id} · ${begun.progress.rounds} rounds`)
  const loop = await followLoop(connection, begun.id, options, terminal)
  refuseUnfinished(loop, options, terminal)
  const models = Object.entries(training.models).map(([key, which]) => [key, modelOf(loop, which)] as const)
  return { environment, loop, models: Object.fromEntries(models) }

  async function begin(loopName: string): Promise<Loop> {
    const request: JsonObject = {
      ...(await withExperts(connection, planned, expert, terminal)),
      name: loopName,
      ...(cost !== null && { limits: { ...(planned.request.limits as JsonObject | undefined), cost } }),
    }
    return client.createLoop(request, `reproduce/${digestOf(request)}`)
  }
}

async function findLoop(client: Pick<ApiClient, 'loops'>, name: string): Promise<Loop | null> {
  for (let after: string | undefined; ; ) {
    const page = await client.loops({ limit: 1000, after })
    const found = page.data.find((loop) => loop.name === name && loop.status !== 'cancelled')
    if (found !== undefined || !page.has_more || page.last_id === null) return found ?? null
    after = page.last_id
  }
}

function modelOf({ id, rounds }: Loop, which: 'first' | 'last'): LoopPolicy {
  const policy = (which === 'first' ? rounds[0] : rounds.at(-1))?.policy ?? null
  if (policy === null) throw new Error(`The loop ${id} serves no model of its ${which} round.`)
  return policy
}

// In practice `--model` stands for the expert: it plays the training tasks.
async function withExperts(
  { client }: Connection,
  { environment, expertTasks, request }: PlannedTraining,
  expert: NamedModel | null,
  terminal: Terminal,
): Promise<JsonObject> {
  if (expertTasks === null) return request
  const played: JsonObject = {
    name: `${request.name as string} · expert`,
    environment,
    ...(request.data !== undefined && { data: request.data }),
    tasks: expertTasks,
    method: { id: 'react' },
    model: { ...(expert ?? { endpoint: '', id: '' }) },
  }
  const { id } = await client.createRun(played, `reproduce/${digestOf(played)}`)
  terminal.note(`training in ${environment}: ${id} plays the expert`)
  const run = await followRun(client, id, { signal: terminal.interruption() })
  if (run.status === 'succeeded') return { ...request, experts: [id] }
  throw new CommandError(
    'recipe_incomplete',
    `The expert's run ${id} is ${run.status}: ${run.status_reason ?? 'it failed'}.`,
  )
}

function digestOf(request: JsonObject): string {
  return hash('sha256', canonicalJson(request)).slice(0, 32)
}
