import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ApiClient } from '../../core/client/api-client.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { passportSchema } from '../../core/contracts/passport.ts'
import { provenanceSchema } from '../../core/contracts/provenance.ts'
import type { Run } from '../../core/contracts/run.ts'

const countSchema = z.int().nonnegative()
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)

const resultSchema = z.strictObject({
  episode: z.string(),
  task: z.string(),
  epoch: countSchema,
  status: z.enum(['succeeded', 'failed', 'limited', 'errored', 'cancelled']),
  reward: z.number().nullable(),
  success: z.boolean().nullable(),
})

export type BoardResult = z.infer<typeof resultSchema>

const resultsSchema = z.strictObject({
  tasks: countSchema,
  scored: countSchema,
  errored: countSchema,
  success_rate: z.number().nullable(),
  mean_reward: z.number().nullable(),
  episodes: z.array(resultSchema),
})

// The sections of a submission, each with a digest of its own.
const sectionShape = {
  run: z.strictObject({
    id: z.string(),
    environment: z.string(),
    method: z.string(),
    model: z.string(),
    preset: z.string().nullable(),
    created_at: z.string(),
    ended_at: z.string().nullable(),
    simulated: z.boolean(),
    provenance: provenanceSchema.strict(),
  }),
  passport: passportSchema.strict(),
  results: resultsSchema,
  journals: z.array(z.strictObject({ episode: z.string(), records: countSchema, sha256: sha256Schema })),
}

export const sections = Object.keys(sectionShape) as (keyof typeof sectionShape)[]

export const submissionSchema = z.strictObject({
  object: z.literal('submission'),
  version: z.literal(1),
  board: z.string().nullable(),
  ...sectionShape,
  digests: z.strictObject({
    run: sha256Schema,
    passport: sha256Schema,
    results: sha256Schema,
    journals: sha256Schema,
  }),
  seal: sha256Schema,
})

export type Submission = z.infer<typeof submissionSchema>

export type SubmissionClient = Pick<ApiClient, 'run' | 'episodes' | 'report' | 'journalDigest'>

const atOnce = 8

// Throws an EspalierError if the run has not ended, or has no passport.
export async function buildSubmission(client: SubmissionClient, id: string): Promise<Submission> {
  const run = await client.run(id)
  const { passport, request } = run
  if (run.ended_at === null) throw refused(`${run.id} has not ended: it is ${run.status}. Wait for its end.`)
  if (passport === undefined) throw refused(`${run.id} plays no tasks, so it has no passport and no results.`)
  const episodes = (await readAll(client, run)).filter(({ purpose }) => purpose === 'play')
  const { simulated } = await client.report(run.id)
  return seal({
    object: 'submission',
    version: 1,
    board: request.metadata.board ?? null,
    run: {
      id: run.id,
      environment: request.environment,
      method: request.method.id,
      model: `${request.model.endpoint}/${request.model.id}`,
      preset: typeof request.preset === 'object' ? request.preset.id : null,
      created_at: run.created_at,
      ended_at: run.ended_at,
      simulated,
      provenance: run.provenance,
    },
    passport,
    results: summarizeResults(episodes.map(toResult)),
    journals: await digestJournals(client, run.id, episodes),
  })
}

export function summarizeResults(episodes: BoardResult[]): Submission['results'] {
  const rewards = episodes.flatMap(({ reward }) => reward ?? [])
  const succeeded = episodes.filter(({ success }) => success === true)
  const share = (sum: number) => (rewards.length === 0 ? null : sum / rewards.length)
  return {
    tasks: new Set(episodes.map(({ task }) => task)).size,
    scored: rewards.length,
    errored: episodes.filter(({ status }) => status === 'errored').length,
    success_rate: share(succeeded.length),
    mean_reward: share(rewards.reduce((sum, reward) => sum + reward, 0)),
    episodes,
  }
}

export function digestsOf(given: Pick<Submission, (typeof sections)[number]>): Submission['digests'] {
  const entries = sections.map((section) => [section, sha256(given[section])])
  return Object.fromEntries(entries) as Submission['digests']
}

export function sealOf({ seal: _, ...sealed }: Submission): string {
  return sha256(sealed)
}

export function seal(open: Omit<Submission, 'digests' | 'seal'>): Submission {
  const closed = { ...open, digests: digestsOf(open), seal: '' }
  return { ...closed, seal: sealOf(closed) }
}

export function writeSubmission(submission: Submission): string {
  return `${JSON.stringify(submission, null, 1)}\n`
}

function sha256(value: unknown): string {
  return hash('sha256', JSON.stringify(value))
}

function toResult({ id, task, epoch, status, result }: Episode): BoardResult {
  const ended = resultSchema.shape.status.safeParse(status)
  if (!ended.success) throw refused(`The episode ${id} is ${status}. Retry or cancel it first.`)
  return {
    episode: id,
    task,
    epoch,
    status: ended.data,
    reward: result?.reward ?? null,
    success: result?.success ?? null,
  }
}

async function readAll(client: SubmissionClient, run: Run): Promise<Episode[]> {
  const all: Episode[] = []
  let after: string | undefined
  while (true) {
    const page = await client.episodes(run.id, { limit: 100, after })
    all.push(...page.data)
    if (!page.has_more || page.last_id === null) return all
    after = page.last_id
  }
}

async function digestJournals(
  client: SubmissionClient,
  run: string,
  episodes: readonly Episode[],
): Promise<Submission['journals']> {
  const played = episodes.filter(({ result }) => result !== null)
  const digests: Submission['journals'] = []
  for (let at = 0; at < played.length; at += atOnce) {
    const read = played.slice(at, at + atOnce).map(({ id }) => client.journalDigest(run, id))
    digests.push(
      ...(await Promise.all(read)).map(({ episode, records, sha256: digest }) => ({
        episode,
        records,
        sha256: digest,
      })),
    )
  }
  return digests
}

function refused(message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param: 'run' })
}
