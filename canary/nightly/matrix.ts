import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { untilEnded } from '../play-on-stage.ts'
import { patiently, type StageApi } from '../stage-api.ts'

export interface MatrixCell {
  name: string
  request: RunRequestInput
}

const methods: readonly RunRequestInput['method'][] = [
  { id: 'react', max_steps: 8 },
  { id: 'mcts', value: 'none', iterations: 3, samples: 2, max_depth: 4 },
  { id: 'rmcts', value: 'judge', iterations: 2, branching: 2, proposals: 2, max_steps: 4, round_size: 4 },
]

/**
 * Every method by every kind of worker, with a few simulated episodes each, and react in environments of each host.
 * @param workers - the kinds that the stage has
 * @param hosted - environments that need a host; those of the example run in workers
 */
export function matrixOf(options: {
  id: string
  workers: readonly ('lambda' | 'fargate')[]
  hosted: readonly string[]
}): MatrixCell[] {
  const { id, workers, hosted } = options
  const cell = (
    name: string,
    request: Pick<RunRequestInput, 'environment' | 'method'>,
    more = {},
  ): MatrixCell => ({
    name,
    request: {
      name: `nightly ${id} ${name}`,
      model: { endpoint: 'simulated', id: 'simulated' },
      tasks: { split: 'test', limit: 4 },
      max_parallel: 16,
      seed: 1,
      ...request,
      ...more,
    },
  })
  const [react] = methods
  return [
    ...methods.flatMap((method) =>
      workers.map((kind) =>
        cell(`${method.id} by ${kind}`, { environment: exampleEnvironment, method }, { workers: kind }),
      ),
    ),
    ...(react === undefined
      ? []
      : hosted.map((environment) =>
          cell(`${environment} on a host`, { environment, method: react }, { hosting: 'host' }),
        )),
  ]
}

/**
 * Plays the cells side by side and builds a dataset of all their runs.
 * @throws Error that names each cell whose run did not end whole, and a dataset that failed
 */
export async function playMatrix(api: StageApi, cells: readonly MatrixCell[], id: string): Promise<string[]> {
  const { client } = api
  const played = await Promise.all(
    cells.map(async ({ name, request }, index) => {
      const { id: run } = await patiently(() => client.createRun(request, `nightly-${id}-${index}`))
      const ended = await untilEnded(api, run, () => undefined)
      const { total, errored } = ended.episodes
      const isWhole = ended.status === 'succeeded' && errored === 0 && total > 0
      return {
        name,
        run,
        total,
        fault: isWhole ? null : `${name}: ${ended.status}, ${errored} of ${total} episodes errored`,
      }
    }),
  )
  const faults = played.flatMap(({ fault }) => fault ?? [])
  if (faults.length > 0) throw new Error(faults.join('; '))
  const runs = played.map(({ run }) => run)
  const rows = await buildDataset(api, runs, id)
  return [...played.map(({ name, total }) => `${name}: ${total} episodes`), `a dataset of ${rows} rows`]
}

async function buildDataset({ client }: StageApi, runs: string[], id: string): Promise<number> {
  const request = { name: `nightly ${id}`, kind: 'sft' as const, runs }
  const { id: dataset } = await patiently(() => client.createDataset(request, `nightly-${id}-dataset`))
  for (;;) {
    const now = await patiently(() => client.dataset(dataset))
    if (now.status === 'succeeded') return now.rows ?? 0
    if (now.status === 'failed') throw new Error(`The dataset failed: ${JSON.stringify(now)}`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}
