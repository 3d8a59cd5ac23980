import type { TestProject } from 'vitest/node'
import { type EmulatorSet, type EmulatorVariables, emulatorSets, startEmulators } from './emulator-sets.ts'

declare module 'vitest' {
  export interface ProvidedContext {
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
  const set = project.name as EmulatorSet
  if (!Object.hasOwn(emulatorSets, set)) throw new Error(`There is no set of emulators "${set}".`)
  const { variables, stop } = await startEmulators(set)
  project.provide('emulatorVariables', variables)
  return stop
}
