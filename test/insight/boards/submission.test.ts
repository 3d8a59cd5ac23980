import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { Run, RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { panelOf, passportOf } from '../../../shared/core/engine/runs/passport-of.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { boards } from '../../../shared/insight/boards/boards.ts'
import {
  type BoardResult,
  buildSubmission,
  type Submission,
  seal,
  summarizeResults,
  writeSubmission,
} from '../../../shared/insight/boards/submission.ts'
import { readSubmission, refuseOtherPassports } from '../../../shared/insight/boards/verify-submission.ts'
import { annotationRun, endedRun, makeRun } from '../../builders/runs.ts'

const horizon = { parameter: 'max_steps', least: 10, most: 10, from: 'method' } as const
const tasks = ['one', 'two', 'three']

type Open = Omit<Submission, 'digests' | 'seal'>

function open(request: Partial<RunRequestInput> = {}): Open {
  const panel = panelOf(tasks.map((id) => ({ id })))
  const run = { ...endedRun('run-1', request), resolved: { horizon, parameters: {}, ...panel } }
  const results = tasks.map((task, at) => ({
    ...{
      episode: `ep-${at}`,
      task,
      epoch: 0,
      status: at === 0 ? ('succeeded' as const) : ('failed' as const),
    },
    ...{ reward: at === 0 ? 1 : 0.25, success: at === 0 },
  }))
  return {
    ...{ object: 'submission', version: 1, board: null },
    run: {
      ...{ id: run.id, environment: run.request.environment, method: 'react', model: 'openai/small' },
      ...{ preset: null, created_at: '2026-11-21T09:00:00Z', ended_at: null, simulated: false },
      provenance: run.provenance,
    },
    passport: passportOf(run),
    results: summarizeResults(results),
    journals: results.map(({ episode }) => ({ episode, records: 3, sha256: 'ab'.repeat(32) })),
  }
}

const refusal = (text: string): EspalierError => {
  try {
    readSubmission(text)
  } catch (error) {
    if (EspalierError.isInstance(error)) return error
    throw error
  }
  throw new Error('The submission was taken.')
}

test('a submission is read as it was written, with figures over the episodes that have a reward', () => {
  const submission = seal(open())
  expect(readSubmission(writeSubmission(submission))).toEqual(submission)
  expect(submission.results).toMatchObject({ tasks: 3, scored: 3, success_rate: 1 / 3, mean_reward: 0.5 })
})

test('a submission with any byte changed, added or left out is refused, with a field named', () => {
  const bytes = Buffer.from(writeSubmission(seal(open())))
  const at = fc.nat({ max: bytes.length - 1 })
  const byte = fc.integer({ min: 1, max: 255 })
  fc.assert(
    fc.property(at, byte, fc.constantFrom('change', 'add', 'remove'), (place, value, how) => {
      const before = bytes.subarray(0, place)
      const own = bytes[place] ?? 0
      const middle = how === 'remove' ? [] : how === 'add' ? [value, own] : [own ^ value]
      const other = Buffer.concat([before, Buffer.from(middle), bytes.subarray(place + 1)]).toString('utf8')
      if (other === bytes.toString('utf8')) return
      const { code, message, param } = refusal(other)
      expect(code).toBe('invalid_request')
      expect(message).toContain(`refused at ${param}`)
    }),
    { numRuns: 2000 },
  )
})

test.each<[string, (submission: Submission) => void]>([
  ['results', ({ results }) => Object.assign(results.episodes[1] ?? {}, { reward: 1 })],
  ['results', ({ results }) => Object.assign(results, { success_rate: 1 })],
  ['passport', ({ passport }) => Object.assign(passport.terms, { 'model.max_prompt_tokens': 4000 })],
  ['passport', ({ passport }) => Object.assign(passport, { digest: 'other' })],
  ['journals', ({ journals }) => Object.assign(journals[0] ?? {}, { sha256: 'cd'.repeat(32) })],
  ['run', ({ run }) => Object.assign(run, { model: 'openai/large' })],
  ['results', ({ digests }) => Object.assign(digests, { results: '0'.repeat(64) })],
  ['seal', (submission) => Object.assign(submission, { board: 'pddl' })],
  ['seal', (submission) => Object.assign(submission, { seal: '0'.repeat(64) })],
])('a change is refused at %s', (field, change) => {
  const submission = structuredClone(seal(open()))
  change(submission)
  expect(refusal(writeSubmission(submission)).param).toBe(field)
})

test.each<[string, (submission: Open) => void]>([
  ['passport.digest', ({ passport }) => Object.assign(passport.terms, { scorer: '2' })],
  ['results.episodes', ({ results }) => Object.assign(results.episodes[0] ?? {}, { task: 'other' })],
  ['results', ({ results }) => Object.assign(results, { mean_reward: 1 })],
  ['run.environment', ({ run }) => Object.assign(run, { environment: 'pddl' })],
  ['journals', (submission) => Object.assign(submission, { journals: [] })],
  ['board', (submission) => Object.assign(submission, { board: 'unknown' })],
  ['results.tasks', (submission) => Object.assign(submission, { board: 'textcraft' })],
])('a submission that was sealed anew is refused at %s if its content disagrees', (field, change) => {
  const forged = structuredClone(open())
  change(forged)
  expect(refusal(writeSubmission(seal(forged))).param).toBe(field)
})

const rows = (count: number, status: BoardResult['status'], reward: number | null = null) =>
  Array.from({ length: count }, () => ({ status, reward, success: reward === null ? null : reward === 1 }))

// An entry of the board pddl: 60 tasks, whose last episodes have no reward.
function entry(last: ReturnType<typeof rows>, origin: 'own' | 'generated' = 'own'): string {
  const played = [...rows(60 - last.length, 'succeeded', 1), ...last]
  const episodes = played.map((row, at) => ({ episode: `ep-${at}`, task: `task-${at}`, epoch: 0, ...row }))
  const panel = panelOf(episodes.map(({ task }) => ({ id: task })))
  const base = open({ environment: 'pddl' })
  const run = {
    ...endedRun('run-1', { environment: 'pddl' }),
    resolved: { horizon, parameters: {}, ...panel },
  }
  return writeSubmission(
    seal({
      ...base,
      board: 'pddl',
      run: { ...base.run, provenance: { origin, about: 'planning problems', pack: null } },
      passport: passportOf(run),
      results: summarizeResults(episodes),
      journals: episodes.map(({ episode }) => ({ episode, records: 3, sha256: 'ab'.repeat(32) })),
    }),
  )
}

test('an entry of a board may have errored episodes, which are counted apart', () => {
  expect(readSubmission(entry([])).results).toMatchObject({ tasks: 60, scored: 60 })
  expect(readSubmission(entry(rows(2, 'errored'))).results).toMatchObject({ scored: 58, errored: 2 })
})

test('an entry of a board over generated data is refused, and the data that the board needs is named', () => {
  const { message, param } = refusal(entry([], 'generated'))
  expect(param).toBe('run.provenance')
  expect(message).toContain('espalier data add pddl FOLDER')
})

test('an entry of a board with episodes that were cancelled or cut off is refused, with the way out', () => {
  const cut = refusal(entry(rows(3, 'limited')))
  expect(cut.param).toBe('results.episodes')
  expect(cut.message).toMatch(
    /3 of 60 episodes have no reward .* ep-57 \(task-57\), which is limited\. Extend the run/,
  )
  const stopped = refusal(entry([...rows(1, 'limited'), ...rows(40, 'cancelled')]))
  expect(stopped.message).toMatch(/41 of 60 .* which is cancelled\. .*play the board again as a new run/)
  expect(readSubmission(entry(rows(3, 'limited', 0))).results).toMatchObject({ scored: 60 })
})

test('submissions that differ only in the history rule are refused as one cell, with the field named', () => {
  const model = { endpoint: 'openai', id: 'small' }
  const [one, other] = [seal(open({ model })), seal(open({ model: { ...model, max_prompt_tokens: 4000 } }))]
  expect(() => refuseOtherPassports([one, one])).not.toThrow()
  expect(() => refuseOtherPassports([one, other])).toThrow(
    /not ranked together\. They differ in model\.max_prompt_tokens: not set, 4000\./,
  )
})

test('a run that has not ended, or plays no tasks, has no submission', async () => {
  const clientOf = (run: Run) => ({
    ...{ run: async () => run, episodes: never, report: never, journalDigest: never },
  })
  const never = () => Promise.reject(new Error('It was read.'))
  await expect(buildSubmission(clientOf(makeRun()), 'run-1')).rejects.toThrow(/has not ended: it is running/)
  const { passport: _, ...annotated } = { ...annotationRun, ended_at: '2026-11-21T09:00:00Z' }
  await expect(buildSubmission(clientOf(annotated), 'run-1')).rejects.toMatchObject({ param: 'run' })
})

test('boards have the panels of their papers', () => {
  const counts = Object.fromEntries(boards.map(({ id, count }) => [id, count]))
  expect(counts).toEqual({
    ...{ 'alfworld-seen': 140, 'alfworld-unseen': 134, webshop: 200, textcraft: 100, pddl: 60 },
    ...{ 'scienceworld-test': 211, 'scienceworld-dev': 194, 'scienceworld-train': 1483 },
    ...{ visualwebarena: 910, 'webarena-verified': 812, miniwob: 580 },
  })
})

test('a board of an environment that takes data packs is played over one', () => {
  for (const board of boards) {
    const own = definitions.find(({ id }) => id === board.environment)
    if (own !== undefined)
      expect([board.id, board.fromPack === true]).toEqual([board.id, own.pack !== undefined])
  }
})
