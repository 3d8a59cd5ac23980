import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')

export interface Started {
  child: ChildProcess
  /** The first line of JSON on its standard output. */
  first: Record<string, unknown>
  /** Sends the signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts the command line program as a process of its own.
 *
 * @returns the process, and a promise that resolves with its first line of JSON
 */
export function spawnEspalier(words: readonly string[]): { child: ChildProcess; started: Promise<Started> } {
  const child = spawn(process.execPath, [join(root, 'cli/espalier.ts'), ...words, '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr?.on('data', (text) => {
    complaints += text
  })
  const gone = once(child, 'exit') as Promise<[number | null]>
  const line = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line') as Promise<
    [string]
  >
  const failed = gone.then(([code]) =>
    Promise.reject(new Error(`espalier ${words.join(' ')} ended with ${code}: ${complaints}`)),
  )
  const started = Promise.race([line, failed]).then(([text]) => ({
    child,
    first: JSON.parse(text) as Record<string, unknown>,
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      const [code] = await gone
      return code
    },
  }))
  failed.catch(() => complaints)
  return { child, started }
}
