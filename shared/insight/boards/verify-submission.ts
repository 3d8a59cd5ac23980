import { EspalierError } from '../../core/contracts/errors.ts'
import { describePassportDifference } from '../../core/contracts/passport.ts'
import { differingTerms, digestTasks, digestTerms } from '../../core/engine/runs/passport-of.ts'
import { findBoard } from './boards.ts'
import {
  type BoardResult,
  digestsOf,
  type Submission,
  sealOf,
  sections,
  submissionSchema,
  summarizeResults,
  writeSubmission,
} from './submission.ts'

// Throws an EspalierError whose `param` is the first field that is not as the export wrote it.
export function readSubmission(text: string): Submission {
  const parsed = submissionSchema.safeParse(parse(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') || 'file'
    throw refused(field, `${issue?.message ?? 'it has another shape'}`)
  }
  const submission = parsed.data
  const digests = digestsOf(submission)
  for (const section of sections) {
    if (digests[section] !== submission.digests[section]) throw changed(section)
  }
  if (sealOf(submission) !== submission.seal) throw changed('seal')
  if (writeSubmission(submission) !== text) throw changed('file')
  checkContent(submission)
  return submission
}

// Throws an EspalierError that names the fields in which a later passport differs from the first.
export function refuseOtherPassports(submissions: readonly Submission[]): void {
  const [first, ...others] = submissions
  for (const other of others) {
    if (first === undefined || other.passport.digest === first.passport.digest) continue
    const fields = differingTerms([first.passport, other.passport])
    const named = fields.map(describePassportDifference).join('; ')
    throw new EspalierError(
      'invalid_request',
      `${first.run.id} and ${other.run.id} have other passports, so they are not ranked together. They differ in ${named}.`,
      { param: fields[0]?.field ?? 'passport' },
    )
  }
}

function checkContent({ board, journals, passport, results, run }: Submission): void {
  if (digestTerms(passport.terms) !== passport.digest) throw changed('passport.digest')
  const { tasks, environment } = passport.terms
  const played = results.episodes.map(({ task }) => task)
  if (tasks !== null && tasks !== undefined && digestTasks(played) !== tasks) {
    throw refused('results.episodes', 'its tasks are not those of the passport')
  }
  if (environment !== run.environment) throw refused('run.environment', 'it is not that of the passport')
  if (JSON.stringify(summarizeResults(results.episodes)) !== JSON.stringify(results)) {
    throw refused('results', 'its figures are not those of its episodes')
  }
  const known = new Set(journals.map(({ episode }) => episode))
  const without = results.episodes.find(({ episode, reward }) => reward !== null && !known.has(episode))
  if (without !== undefined) throw refused('journals', `${without.episode} has a reward and no journal`)
  if (board !== null) checkBoard(board, run, results)
}

function checkBoard(id: string, run: Submission['run'], results: Submission['results']): void {
  const board = findBoard(id)
  if (board.environment !== run.environment) {
    throw refused('run.environment', `the board ${id} is of ${board.environment}`)
  }
  if (board.count !== null && board.count !== results.tasks) {
    throw refused('results.tasks', `the board ${id} has ${board.count} tasks, and the run ${results.tasks}`)
  }
  if (run.provenance.origin === 'generated') {
    throw refused(
      'run.provenance',
      `the run played generated data (${run.provenance.about}). The board ${id} needs ${board.data}; add it, play the board again, and export that run`,
    )
  }
  checkRewards(results.episodes)
}

// Errored episodes may lack a reward, since the verdict counts them. Others would thin out the panel unseen.
function checkRewards(episodes: readonly BoardResult[]): void {
  const missing = episodes.filter(({ reward, status }) => reward === null && status !== 'errored')
  const [first] = missing.toSorted(
    (one, two) => Number(two.status === 'cancelled') - Number(one.status === 'cancelled'),
  )
  if (first === undefined) return
  const wayOut =
    first.status === 'cancelled'
      ? 'A cancelled run does not go on: play the board again as a new run, and export that one'
      : 'Extend the run with larger episode_limits (espalier extend), and export it again'
  throw refused(
    'results.episodes',
    `${missing.length} of ${episodes.length} episodes have no reward and did not err, such as ${first.episode} (${first.task}), which is ${first.status}. ${wayOut}`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refused('file', `it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function changed(field: string): EspalierError {
  return refused(field, 'it was changed after the export; export the run again')
}

function refused(field: string, reason: string): EspalierError {
  return new EspalierError('invalid_request', `The submission is refused at ${field}: ${reason}.`, {
    param: field,
  })
}
