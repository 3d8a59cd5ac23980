import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'

type Tasks = NonNullable<RunRequestInput['tasks']>

export interface RlWorld {
  environment: string
  prompt: string
  maxSteps: number
  tasks(split: 'train' | 'test', count: number): Tasks
}

const answer = 'Answer with one action and nothing else, in this form:\nAction: <the one thing you do>'

export const rlWorlds: readonly RlWorld[] = [
  {
    environment: 'pddl',
    prompt: `Move the balls. ${answer}`,
    maxSteps: 10,
    tasks: (split, count) => ({
      generate: {
        generator: 'gripper',
        split,
        count,
        seed: 1,
        max_balls: 2,
        min_rooms: 4,
        max_rooms: 6,
      },
    }),
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
