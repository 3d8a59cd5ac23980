import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { RunRequestInput } from '../shared/core/contracts/run.ts'
import { createRandom, mixNumber, type Random } from '../shared/core/random/random.ts'
import { inProcess } from '../shared/environments/environments.ts'

export interface Plan {
  name: string
  request: Omit<RunRequestInput, 'model'>
  next?: FollowUp
}

/**
 * An extension with the changed method parameters, or a retry of errored episodes, whose prompts the endpoint refused
 * until then.
 */
export type FollowUp = { extend: { [parameter: string]: number } } | { retry: true }

const small = { proposals: 6, branching: 3, verdicts: 3 }

interface Kind {
  method: { id: string; [parameter: string]: unknown }
  hosting?: 'host'
  tasks?: readonly [number, number]
  next?: FollowUp
}

const wanted: readonly Kind[] = [
  { method: { id: 'react' }, tasks: [6, 10] },
  { method: { id: 'rmcts', ...small, iterations: 3, round_size: 2 }, tasks: [4, 6] },
  { method: { id: 'learnact', candidates: 2, rounds: 1, train_tasks: 2 }, tasks: [4, 6] },
  { method: { id: 'mcts', iterations: 2, samples: 3, max_depth: 8 }, next: { extend: { iterations: 4 } } },
  { method: { id: 'act' }, tasks: [6, 10], next: { retry: true } },
  { method: { id: 'mcts', iterations: 4, samples: 3, max_depth: 10, parallel: 2 } },
  { method: { id: 'best-first', ...small, budget: 5 } },
  { method: { id: 'reflexion', retry: 2 } },
  { method: { id: 'code-as-policy' }, tasks: [5, 8] },
  { method: { id: 'mcts', iterations: 3, samples: 3, max_depth: 8 }, hosting: 'host', tasks: [6, 8] },
  { method: { id: 'rmcts', ...small, iterations: 3, value: 'debate', reuse: true, round_size: 1 } },
  { method: { id: 'tree-of-thoughts', ...small, budget: 5 } },
  { method: { id: 'best-of-n', attempts: 3, verdicts: 3 } },
  { method: { id: 'reflexion', agent: 'act', train_steps: 6 } },
  { method: { id: 'mcts', value: 'judge', ...small, iterations: 3 } },
]

export function makePlans(seed: number, count: number): Plan[] {
  const random = createRandom(mixNumber(0x91a2, seed))
  return Array.from({ length: count }, (_, index) => {
    const kind = wanted[index % wanted.length] as Kind
    const environment = kind.hosting === 'host' ? exampleEnvironment : (pick(inProcess, random) as string)
    const [least, most] = kind.tasks ?? [3, 4]
    return {
      name: `${String(index + 1).padStart(2, '0')} ${kind.method.id} in ${environment}${kind.hosting ? ', hosted' : ''}${wordsOf(kind.next)}`,
      request: {
        environment,
        method: kind.method,
        tasks: { split: 'test', limit: least + Math.floor(random() * (most - least + 1)) },
        seed: Math.floor(random() * 1000),
        episode_limits: { turns: 3000 },
        ...(kind.hosting !== undefined && { hosting: kind.hosting }),
      },
      ...(kind.next !== undefined && { next: kind.next }),
    }
  })
}

function wordsOf(next: FollowUp | undefined): string {
  if (next === undefined) return ''
  return 'extend' in next ? ', extended' : ', retried'
}

function pick<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)]
}

export function expertPlan(): Plan {
  const request = {
    environment: exampleEnvironment,
    method: { id: 'react' },
    tasks: { split: 'train' as const, limit: 4 },
  }
  return { name: 'expert', request }
}
