import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for as long as its caller wants it, such as all tests of a file. */
export async function lentFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-test-'))
  // Workers of a service that was killed may write for a moment longer.
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return { folder, remove }
}

/** A folder of the current test, removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const { folder, remove } = await lentFolder()
  onTestFinished(remove)
  return folder
}
