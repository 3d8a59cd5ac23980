export interface DemoSizes {
  expertTasks: number
  /** The tokenizer has the words of these tasks. */
  noviceTasks: number
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
  expertTasks: 40,
  noviceTasks: 40,
  trainTasks: 900,
  pairTasks: 100,
  testTasks: 240,
  samples: 4,
  cloneSteps: 2000,
  roundSteps: 1500,
  pairSteps: 60,
}

export function sizesFor(minutes: number, usual: DemoSizes): DemoSizes {
  const factor = Math.max(1, minutes / usualMinutes)
  const more = (count: number) => Math.round(count * factor)
  return {
    ...usual,
    samples: more(usual.samples),
    cloneSteps: more(usual.cloneSteps),
    roundSteps: more(usual.roundSteps),
    pairSteps: more(usual.pairSteps),
  }
}
