import { wrongUsage } from '../../cli/command-error.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { type BaseShape, smallShape } from './make-base.ts'
import { type DemoSizes, usualSizes } from './sizes.ts'

type Tasks = NonNullable<RunRequestInput['tasks']>

export interface DemoWorld {
  environment: string
  /** Short, because a small model reads every token of it in each row. */
  prompt: string
  maxSteps: number
  shape: BaseShape
  sizes: DemoSizes
  learningRate: number
  batchSize: number
  /** Of a round of reinforcement. At a higher rate a clone that solves few tasks unlearns how to end its answers. */
  reinforcement: { learningRate: number; epochs: number }
  tasks(split: 'train' | 'test', count: number): Tasks
}

const answer = 'Answer with one action and nothing else, in this form:\nAction: <the one thing you do>'

export const demoWorlds: readonly DemoWorld[] = [
  {
    environment: 'pddl',
    prompt: `Move the balls. ${answer}`,
    maxSteps: 10,
    shape: smallShape,
    sizes: usualSizes,
    learningRate: 3e-3,
    batchSize: 4,
    reinforcement: { learningRate: 3e-4, epochs: 2 },
    tasks: gripperTasks({ max_balls: 1, max_resting_balls: 1, min_rooms: 4, max_rooms: 10 }),
  },
  {
    environment: exampleEnvironment,
    prompt: `Craft the goal. ${answer}`,
    maxSteps: 6,
    // Held-out goals have names that no expert said.
    shape: { width: 128, layers: 3, heads: 4, inner: 384, repeat_steps: 1500 },
    sizes: {
      ...usualSizes,
      ...{ expertTasks: 100, noviceTasks: 546, trainTasks: 546, testTasks: 143 },
      ...{ samples: 8, cloneSteps: 800, roundSteps: 1000 },
    },
    learningRate: 7e-4,
    batchSize: 8,
    reinforcement: { learningRate: 1e-4, epochs: 1 },
    tasks: (split, count) => ({
      generate: { generator: 'crafting', split, count, seed: 1, min_depth: 1, max_depth: 1, distractors: 1 },
    }),
  },
]

/** @param bounds - the balls that a robot with two grippers carries, and the rooms */
export function gripperTasks(bounds: JsonObject): DemoWorld['tasks'] {
  return (split, count) => ({ generate: { generator: 'gripper', split, count, seed: 1, ...bounds } })
}

export function findWorld(flag: string, name: string): DemoWorld {
  const world = demoWorlds.find(({ environment }) => environment === name)
  if (world !== undefined) return world
  throw wrongUsage(
    `--${flag} "${name}" is none of ${demoWorlds.map(({ environment }) => environment).join(', ')}.`,
  )
}
