import type { JsonObject } from '../../shared/core/contracts/json.ts'

export interface DemoSizes {
  /** Of the generated tasks: the balls that a robot with two grippers carries, and the rooms. */
  bounds: JsonObject
  expertTasks: number
  trainTasks: number
  /** Tasks of these that the expert shows too, for pairs: the clone has not memorized them. */
  pairTasks: number
  testTasks: number
  samples: number
  cloneSteps: number
  roundSteps: number
  pairSteps: number
}

/** Minutes of the usual sizes on two otherwise idle cores. */
export const usualMinutes = 40

export const usualSizes: DemoSizes = {
  bounds: { max_balls: 2, min_rooms: 4, max_rooms: 6 },
  expertTasks: 64,
  trainTasks: 1000,
  pairTasks: 200,
  testTasks: 300,
  samples: 3,
  cloneSteps: 1200,
  roundSteps: 1200,
  pairSteps: 60,
}

export function sizesFor(minutes: number): DemoSizes {
  const factor = Math.max(1, minutes / usualMinutes)
  const more = (count: number) => Math.round(count * factor)
  return {
    ...usualSizes,
    samples: more(usualSizes.samples),
    testTasks: Math.min(400, more(usualSizes.testTasks)),
    cloneSteps: more(usualSizes.cloneSteps),
    roundSteps: more(usualSizes.roundSteps),
    pairSteps: more(usualSizes.pairSteps),
  }
}

export function gripperTasks({ bounds }: Pick<DemoSizes, 'bounds'>, split: 'train' | 'test', count: number) {
  return { generate: { generator: 'gripper', split, count, seed: 1, ...bounds } }
}
