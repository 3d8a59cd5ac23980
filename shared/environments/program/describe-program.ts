import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { EspalierError } from '../../contracts/errors.ts'
import { type ProgramFacts, programFactsSchema } from './program-facts.ts'
import type { ProgramCommand } from './registration.ts'

/** Milliseconds that a program has to start and describe itself: large packages are imported meanwhile. */
const longestDescription = 60_000

/** Characters of its error output that an error quotes, the last ones. */
const quoted = 600

/**
 * Starts a program, asks what environment it is, and ends it.
 *
 * @param named - the field or file that names the program, for errors
 * @throws EspalierError `invalid_request` where it cannot be started, ends, is late, or describes itself otherwise than it should
 */
export async function describeProgram(
  named: string,
  { command, folder }: ProgramCommand,
): Promise<ProgramFacts> {
  const [file = '', ...words] = command
  const child = spawn(file, words, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const failed = once(child, 'error').then(([error]) => {
    throw wrong(named, `"${file}" could not be started: ${(error as Error).message}`)
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-quoted)
  })
  // A program that ends at once breaks the pipe; its end is what is reported.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${JSON.stringify({ id: 1, op: 'describe' })}\n`)
  const signal = AbortSignal.timeout(longestDescription)
  const late = once(signal, 'abort').then(() => {
    throw wrong(named, `"${command.join(' ')}" did not describe itself within a minute.${quote(said)}`)
  })
  try {
    return await Promise.race([firstAnswer(), failed, late])
  } finally {
    failed.catch(() => undefined)
    late.catch(() => undefined)
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }

  async function firstAnswer(): Promise<ProgramFacts> {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
      const answer = parse(line)
      if (answer?.id !== 1) continue
      if (typeof answer.error === 'string') throw wrong(named, `the program says: ${answer.error}`)
      const facts = programFactsSchema.safeParse(answer)
      if (facts.success) return facts.data
      const [issue] = facts.error.issues
      throw wrong(named, `the program describes itself wrongly: ${issue?.path.join('.')}: ${issue?.message}`)
    }
    // Standard error ends with the process.
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    throw wrong(named, `"${command.join(' ')}" ended before it described itself.${quote(said)}`)
  }
}

/** Lines that are no JSON are the program's own output, which is skipped as hosts skip it. */
function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function quote(said: string): string {
  return said.trim() === '' ? '' : ` It wrote: ${said.trim()}`
}

function wrong(named: string, reason: string): EspalierError {
  return new EspalierError('invalid_request', `${named}: ${reason}`, { param: named })
}
