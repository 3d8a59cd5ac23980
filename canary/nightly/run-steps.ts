import { EspalierError } from '../../shared/core/contracts/errors.ts'

export interface NightlyStep {
  name: string
  // The reason why emulators cannot show the step. Null: they can.
  needsAccount: string | null
  // Runs after a failure too, because the stage costs money until it is gone.
  isCleanUp?: boolean
  run(): Promise<string[]>
}

export interface StepResult {
  name: string
  state: 'passed' | 'failed' | 'skipped' | 'not shown'
  seconds: number
  notes: string[]
}

/**
 * Runs the steps in order. After a failure only those that clean up follow.
 * @param isEmulated - leaves out the steps that need an account, with their reasons
 */
export async function runSteps(
  steps: readonly NightlyStep[],
  { isEmulated, log }: { isEmulated: boolean; log: (line: string) => void },
): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of steps) {
    const result = await runStep(step, {
      isEmulated,
      hasFailed: results.some(({ state }) => state === 'failed'),
    })
    results.push(result)
    log(`${result.state.padEnd(9)} ${step.name} (${result.seconds.toFixed(1)} s)`)
    for (const note of result.notes) log(`          ${note}`)
  }
  return results
}

async function runStep(
  { name, needsAccount, isCleanUp = false, run }: NightlyStep,
  { isEmulated, hasFailed }: { isEmulated: boolean; hasFailed: boolean },
): Promise<StepResult> {
  if (isEmulated && needsAccount !== null) {
    return { name, state: 'not shown', seconds: 0, notes: [needsAccount] }
  }
  if (hasFailed && !isCleanUp) return { name, state: 'skipped', seconds: 0, notes: [] }
  const from = performance.now()
  const since = () => (performance.now() - from) / 1000
  try {
    const notes = await run()
    return { name, state: 'passed', seconds: since(), notes }
  } catch (error) {
    const isKnown = EspalierError.isInstance(error) || error instanceof Error
    const notes = [isKnown ? (error as Error).message : String(error)]
    return { name, state: 'failed', seconds: since(), notes }
  }
}
