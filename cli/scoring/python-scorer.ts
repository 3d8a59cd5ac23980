import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { ScoredEpisode } from '../../shared/core/contracts/scoring.ts'
import { ProgramLostError, ProgramProcess } from '../../shared/core/programs/program-process.ts'
import { isKilled, retryKilled } from '../../shared/core/threads/retry-killed.ts'
import { type OpenScorer, readAnswer } from './open-scorer.ts'

const answerWithin = 600

const describedSchema = z.object({
  files: z.array(z.object({ name: z.string(), sha256: z.hex() })).min(1),
})

const answeredSchema = z.object({ answer: z.unknown().optional(), failed: z.string().optional() })

/**
 * Runs the function `score` of a Python file in a separate process, with the Python of `ESPALIER_PYTHON`. It scores
 * one episode at a time. If an episode ends the process, that episode gets an error and the next a new process.
 * @throws EspalierError `invalid_request` if the file defines no `score`, raises, or Python lacks the package
 */
export async function openPythonScorer(
  named: string,
  file: string,
  { ESPALIER_PYTHON: python = 'python3' }: Readonly<Record<string, string | undefined>>,
): Promise<OpenScorer> {
  const command = [python, '-m', 'espalier.scorers', file]
  let program: ProgramProcess | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function start(): Promise<{ program: ProgramProcess; digest: string }> {
    const started = new ProgramProcess({ command, answerWithin, log: () => undefined })
    try {
      const { files } = await started.ask({ op: 'describe' }, describedSchema)
      return { program: started, digest: digestOf(files) }
    } catch (error) {
      await started.end()
      if (isKilled(error)) throw error
      if (!EspalierError.isInstance(error) && !(error instanceof ProgramLostError)) throw error
      throw new EspalierError('invalid_request', `${named} cannot be loaded: ${error.message}`)
    }
  }

  async function ask(episode: ScoredEpisode): Promise<{ value: number; note?: string }> {
    program ??= (await retryKilled(start)).program
    try {
      const { answer, failed } = await program.ask({ op: 'score', episode }, answeredSchema)
      if (failed !== undefined) throw new Error(failed)
      return readAnswer(answer)
    } catch (error) {
      if (error instanceof ProgramLostError) program = null
      throw error
    }
  }

  const first = await retryKilled(start)
  program = first.program
  return {
    by: { kind: 'scorer', name: basename(file), digest: first.digest, model: null },
    score(episode) {
      const asked = last.then(() => retryKilled(() => ask(episode)))
      last = asked.catch(() => undefined)
      return asked
    },
    close: async () => program?.end(),
  }
}

function digestOf(files: readonly { name: string; sha256: string }[]): string {
  const named = files.map(({ name, sha256 }) => `${name} ${sha256}`).sort()
  return createHash('sha256').update(named.join('\n')).digest('hex').slice(0, 16)
}
