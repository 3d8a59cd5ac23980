import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { memoryOfTree } from './process-memory.ts'

export interface Stepped {
  rate: number
  opened: number
  memory: number
}

/**
 * Steps concurrent sessions of Python's BrowserGym, each in its own process.
 * @param settings.waits true for its default waits: 100 ms for each call to the browser, and 0.5 s before it observes
 */
export async function stepBrowsergym(
  python: string,
  sessions: number,
  settings: { chromium: string; page: string; pages: string; seconds: number; waits: boolean },
): Promise<Stepped> {
  const script = join(import.meta.dirname, 'step_browsergym.py')
  const players = Array.from({ length: sessions }, () => {
    const child = spawn(python, [script, JSON.stringify(settings)], { stdio: ['pipe', 'pipe', 'ignore'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async <Said>(): Promise<Said> => {
      const { value, done } = await lines.next()
      if (done) throw new Error('BrowserGym ended. Run bench/browser/step_browsergym.py by hand.')
      return JSON.parse(value) as Said
    }
    return { child, next }
  })
  try {
    const opened = await Promise.all(players.map(({ next }) => next<{ opened: number }>()))
    for (const { child } of players) child.stdin.write('go\n')
    const stepped = await Promise.all(players.map(({ next }) => next<{ steps: number; elapsed: number }>()))
    const memories = await Promise.all(players.map(({ child }) => memoryOfTree(child.pid ?? 0)))
    return {
      rate: sum(stepped.map(({ steps, elapsed }) => steps / elapsed)),
      opened: sum(opened.map((each) => each.opened)) / sessions,
      memory: sum(memories),
    }
  } finally {
    for (const { child } of players) {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    }
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
