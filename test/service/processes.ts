import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

export interface Started {
  child: ChildProcess
  /** The first line of JSON on its standard output. */
  first: Record<string, unknown>
  /** Sends the signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the command line program as a process of its own and waits for its first line of JSON. */
export async function startEspalier(...words: string[]): Promise<Started> {
  const child = spawn(process.execPath, [join(root, 'cli/espalier.ts'), ...words, '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr?.on('data', (text) => {
    complaints += text
  })
  const gone = once(child, 'exit') as Promise<[number | null]>
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line') as Promise<
    [string]
  >
  const failed = gone.then(([code]) =>
    Promise.reject(new Error(`espalier ${words.join(' ')} ended with ${code}: ${complaints}`)),
  )
  const [text] = await Promise.race([line, failed])
  failed.catch(() => complaints)
  return {
    child,
    first: JSON.parse(text),
    async end(signal) {
      child.kill(signal)
      const [code] = await gone
      return code
    },
  }
}
