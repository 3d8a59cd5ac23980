import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
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

/** The processes that a service started, workers and hosts, by their ids. */
export async function childrenOf({ child }: { child: { pid?: number | undefined } }): Promise<number[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(processes.map(async (id) => [id, await parentOf(id)] as const))
  return parents.filter(([, parent]) => parent === child.pid).map(([id]) => id)
}

async function parentOf(id: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${id}/status`, 'utf8')
    return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null
    throw error
  }
}
