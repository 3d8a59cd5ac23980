import type { JsonObject } from '../../shared/contracts/json.ts'

/** How large the demonstration is. What is played and trained grows with it; what it shows does not depend on it. */
export interface DemoSizes {
  /** Of the generated tasks: balls that a robot with two grippers carries, and the rooms that there are. */
  bounds: JsonObject
  /** Distinct training tasks that the expert shows. */
  expertTasks: number
  /** Distinct training tasks that the model explores. */
  trainTasks: number
  /** Of these, tasks that the expert shows as well, for pairs: the clone has not learned them by heart. */
  pairTasks: number
  /** Held-out tasks of every evaluation. */
  testTasks: number
  /** Times that each training task is explored. */
  samples: number
  /** Steps of the first training, on the expert's rows alone. */
  cloneSteps: number
  /** Steps of the round's training, and of the control. */
  roundSteps: number
  /** Steps of the training on pairs that comes after. */
  pairSteps: number
}

/** Minutes that the usual sizes take on two cores that have nothing else to do. */
export const usualMinutes = 40

export const usualSizes: DemoSizes = {
  bounds: { max_balls: 2, min_rooms: 4, max_rooms: 5 },
  expertTasks: 64,
  trainTasks: 1000,
  pairTasks: 200,
  testTasks: 300,
  samples: 3,
  cloneSteps: 1200,
  roundSteps: 1200,
  pairSteps: 60,
}

/** The usual sizes with as many steps and samples as fit into so many minutes. */
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

/** So many tasks of PDDL's gripper; the first ones of a larger number. */
export function gripperTasks({ bounds }: Pick<DemoSizes, 'bounds'>, split: 'train' | 'test', count: number) {
  return { generate: { generator: 'gripper', split, count, seed: 1, ...bounds } }
}
