import type { TestProject } from 'vitest/node'
import { type EmulatorSet, type EmulatorVariables, missingFor, startEmulators } from './emulator-sets.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    emulatorSet: EmulatorSet
    /** What `use-emulators.ts` puts into the environment of each test's process. */
    emulatorVariables: EmulatorVariables
  }
}

/**
 * Starts the emulators of the project's set before its tests and stops them after. Their addresses come into the
 * environment of the tests, where the SDK looks for them. With `AWS_E2E=1` nothing is started and the tests meet the account
 * of the environment's credentials.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.AWS_E2E === '1') {
    project.provide('emulatorVariables', {})
    return undefined
  }
  const { emulatorSet } = project.getProvidedContext()
  const absent = missingFor('java')
  if (absent !== null && process.env.ESPALIER_EMULATORS === undefined)
    console.log(`not shown: the drivers over DynamoDB Local and ElasticMQ: ${absent}`)
  const { variables, stop } = await startEmulators(emulatorSet)
  project.provide('emulatorVariables', variables)
  return stop
}
