import { wrongUsage } from '../../cli/command-error.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'

type Tasks = NonNullable<RunRequestInput['tasks']>

export interface DemoWorld {
  environment: string
  /** Short, because a small model reads every token of it in each row. */
  prompt: string
  maxSteps: number
  tasks(split: 'train' | 'test', count: number): Tasks
}

const answer = 'Answer with one action and nothing else, in this form:\nAction: <the one thing you do>'

export const demoWorlds: readonly DemoWorld[] = [
  {
    environment: 'pddl',
    prompt: `Move the balls. ${answer}`,
    maxSteps: 10,
    tasks: gripperTasks({ max_balls: 2, min_rooms: 4, max_rooms: 10 }),
  },
  {
    environment: exampleEnvironment,
    prompt: `Craft the goal. ${answer}`,
    maxSteps: 6,
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
