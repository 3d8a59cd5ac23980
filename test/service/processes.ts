import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { type Started, spawnEspalier } from '../support/espalier-process.ts'

export type { Started } from '../support/espalier-process.ts'

/** Starts the command line program as a process of its own, until the test ends, and waits for its first line of JSON. */
export async function startEspalier(...words: string[]): Promise<Started> {
  const { child, started } = spawnEspalier(words)
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  return started
}
