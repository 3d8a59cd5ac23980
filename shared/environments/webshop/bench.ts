import { isPure } from '../environment.ts'
import type { BenchedEpisode, StepBench } from '../step-bench.ts'
import { webshopDefinition } from './definition.ts'

const branches = 10

const environment = await webshopDefinition.open(null)
if (!isPure(environment)) throw new Error('It is played in process.')
const tasks = environment.tasks()
const core = await environment.open(tasks[0]?.id ?? '')

function episode(task: string, keywords: string, branch: number): BenchedEpisode {
  const steps: readonly (string | number)[] = [
    `search[${keywords}]`,
    'click[Next >]',
    'click[no such button]',
    'click[< Prev]',
    branch,
    'click[Features]',
    'click[< Prev]',
    branch + 3,
    'click[Buy Now]',
  ]
  return {
    core,
    task,
    action(state, step) {
      const chosen = steps[step]
      if (typeof chosen !== 'number') return chosen ?? null
      const clicks = core.validActions?.(state) ?? []
      return clicks[chosen % clicks.length] ?? ''
    },
  }
}

export const webshopBench: readonly StepBench[] = [
  {
    what: `WebShop (searches, pages, options, an invalid action, purchases; ${branches} episodes with one search)`,
    aim: '≥ 20,000 steps/s',
    episodes: tasks.flatMap(({ id, description }) =>
      Array.from({ length: branches }, (_, branch) => episode(id, description, branch)),
    ),
  },
]
