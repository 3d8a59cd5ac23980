import { basename, resolve } from 'node:path'
import { z } from 'zod'
import type { ScorerIdentity } from '../../shared/core/contracts/judgement.ts'
import type { ScoredEpisode, Scorer } from '../../shared/core/contracts/scoring.ts'
import { clipText } from '../../shared/core/contracts/well-formed.ts'
import { importModule } from '../../shared/environments/added/read-module.ts'
import { digestModule } from '../../shared/play/methods/added/digest-module.ts'
import { wrongUsage } from '../command-error.ts'

export interface OpenScorer {
  by: ScorerIdentity
  /** @throws any error of the scorer, and an Error if its answer is no value from 0 to 1 */
  score(episode: ScoredEpisode): Promise<{ value: number; note?: string }>
  close(): Promise<void>
}

// In place of a file: WebArena-Verified's rules, over the requests that an episode keeps.
const verifiedScorer = 'webarena-verified'

const answerSchema = z.union([
  z
    .number()
    .min(0)
    .max(1)
    .transform((value) => ({ value })),
  z.object({ value: z.number().min(0).max(1), note: z.string().max(4000).optional() }),
])

/**
 * Loads a scorer from a file. A module's code runs in this process, with all its rights; Python in a separate
 * process.
 * @throws EspalierError `invalid_request` if it cannot be loaded; CommandError if it exports no `score`
 */
export async function openScorer(
  named: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenScorer> {
  if (named === verifiedScorer) return openVerifiedScorer()
  const file = resolve(named)
  if (file.endsWith('.py')) {
    const { openPythonScorer } = await import('./python-scorer.ts')
    return openPythonScorer(named, file, environment)
  }
  const { digest } = await digestModule(file)
  const exported = await importModule(file, named)
  const scorer = exported.score ?? exported.default
  if (typeof scorer !== 'function') {
    throw wrongUsage(
      `${named} exports no function "score". Export one that takes an episode and answers a number from 0 to 1: docs/judgements.md.`,
    )
  }
  const score = scorer as Scorer
  return {
    by: { kind: 'scorer', name: basename(file), digest, model: null },
    score: async (episode) => readAnswer(await score(episode)),
    close: async () => {},
  }
}

async function openVerifiedScorer(): Promise<OpenScorer> {
  const { scoreTrace, wholeTrace } = await import(
    '../../shared/environments/webarena/verified/stored-trace.ts'
  )
  const { verifiedRules } = await import('../../shared/environments/webarena/verified/score-verified.ts')
  return {
    by: { kind: 'scorer', name: verifiedScorer, digest: verifiedRules, model: null },
    async score({ trajectory }) {
      const { score, checks } = scoreTrace(await wholeTrace(trajectory))
      const note = checks.flatMap(({ faults }) => faults).join('; ')
      return { value: score, ...(note !== '' && { note: clipText(note, 4000) }) }
    },
    close: async () => {},
  }
}

export function readAnswer(answer: unknown): { value: number; note?: string } {
  const read = answerSchema.safeParse(answer)
  if (!read.success) {
    throw new Error(`The scorer answered ${show(answer)}, which is no number from 0 to 1.`)
  }
  const { note, value } = { note: undefined, ...read.data }
  return { value, ...(note !== undefined && note !== '' && { note }) }
}

function show(answer: unknown): string {
  const text = typeof answer === 'number' ? String(answer) : JSON.stringify(answer)
  return text === undefined ? 'nothing' : clipText(text, 200)
}
