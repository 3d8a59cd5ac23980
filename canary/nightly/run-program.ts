import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')

export interface EndedProgram {
  code: number
  out: string
}

export function runOwn(
  words: readonly string[],
  variables: Record<string, string> = {},
): Promise<EndedProgram> {
  return run(process.execPath, words, variables)
}

export function runAws(words: readonly string[]): Promise<EndedProgram> {
  return run('aws', [...words, '--output', 'json'], {})
}

async function run(
  command: string,
  words: readonly string[],
  variables: Record<string, string>,
): Promise<EndedProgram> {
  const child = spawn(command, words, {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const [out, [code]] = await Promise.all([text(child.stdout), closed])
  return { code: (code as number | null) ?? 1, out }
}

export async function mustRun(ran: Promise<EndedProgram>, what: string): Promise<string> {
  const { code, out } = await ran
  if (code === 0) return out
  throw new Error(`${what} ended with ${code}: ${out.trim().slice(-800)}`)
}
