import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { programVariables } from '../../core/programs/program-variables.ts'

const runWithParent = join(import.meta.dirname, `run-with-parent${extname(import.meta.filename)}`)

const kept = 20_000
const shown = 1500

/**
 * Runs a command to its end. The command does not outlive this process.
 * @param limits.patience milliseconds
 * @returns its output
 * @throws Error with its last lines if it fails or takes too long; the signal's reason when it aborts
 */
export async function runCommand(
  command: readonly string[],
  { patience, signal }: { patience: number; signal?: AbortSignal },
): Promise<string> {
  const child = spawn(process.execPath, [runWithParent, ...command], {
    env: programVariables(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const hear = (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-kept)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.stdin.on('error', () => child.stdin.destroy())
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.stdin.end()
  }, patience)
  const abort = () => child.stdin.end()
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  let code: unknown = null
  try {
    ;[code] = await once(child, 'close')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  signal?.throwIfAborted()
  const name = command.slice(0, 2).join(' ')
  if (isLate) throw new Error(`${name} took longer than ${patience / 1000} seconds. ${said.slice(-shown)}`)
  if (code !== 0) throw new Error(`${name} failed: ${said.trim().slice(-shown)}`)
  return said
}
