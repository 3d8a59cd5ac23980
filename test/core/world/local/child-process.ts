import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A real process that runs a file of this folder; killed when the test ends at the latest. */
export interface TestProcess {
  pid: number
  /** What it printed so far, line by line. */
  lines: string[]
  /** Resolves once it has printed that many lines; fails when it ends before. */
  printed(count: number): Promise<string[]>
  /** Kills it as a power cut would: nothing of it runs any more when this resolves. */
  kill(): Promise<void>
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>
}

/** @param limit `ulimit` arguments it is subject to, such as `-f 100` */
export function startProcess(file: string, parameters: string[], limit?: string): TestProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child =
    limit === undefined
      ? spawn(process.execPath, [path, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `ulimit ${limit} && exec "$@"`, 'sh', process.execPath, path, ...parameters], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
  return follow(child)
}

function follow(child: ChildProcess): TestProcess {
  const lines: string[] = []
  const ended = once(child, 'close').then(() => {})
  if (child.stdout === null || child.pid === undefined) throw new Error('The process did not start.')
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return {
    pid: child.pid,
    lines,
    async printed(count) {
      while (lines.length < count) {
        const over = await Promise.race([once(reader, 'line').then(() => false), ended.then(() => true)])
        if (over && lines.length < count) throw new Error(`It ended after printing: ${lines.join('\n')}`)
      }
      return lines
    },
    kill,
    ended: () => ended,
  }
}
