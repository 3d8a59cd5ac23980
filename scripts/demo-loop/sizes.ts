export interface DemoSizes {
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
export const usualMinutes = 20

export const usualSizes: DemoSizes = {
  expertTasks: 96,
  trainTasks: 400,
  pairTasks: 100,
  testTasks: 240,
  samples: 3,
  cloneSteps: 2000,
  roundSteps: 2000,
  pairSteps: 60,
}

export function sizesFor(minutes: number): DemoSizes {
  const factor = Math.max(1, minutes / usualMinutes)
  const more = (count: number) => Math.round(count * factor)
  return {
    ...usualSizes,
    samples: more(usualSizes.samples),
    cloneSteps: more(usualSizes.cloneSteps),
    roundSteps: more(usualSizes.roundSteps),
    pairSteps: more(usualSizes.pairSteps),
  }
}
