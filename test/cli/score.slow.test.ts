import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { ScoreReport } from '../../shared/core/contracts/scoring.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

const episodes = 30
let folder: string
let data: string[]
let id: string

/** A folder with a run of the simulated model, and a place for scorers. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-test-'))
  data = ['--folder', join(folder, 'data')]
  const request = `--environment textcraft --method react --model simulated --limit ${episodes}`
  const played = await espalier('run', ...request.split(' '), ...data, '--json')
  id = /run-\w+-\w+/.exec(played.out)?.[0] ?? ''
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

async function scorerOf(name: string, body: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, body)
  return path
}

async function scoreAll(...words: string[]) {
  const answer = await espalier('score', id, ...words, ...data, '--json')
  return { ...answer, report: (answer.exitCode === 0 ? JSON.parse(answer.out) : null) as ScoreReport }
}

test('a module scores every ended episode once; a failure is an error and not a zero', async () => {
  const path = await scorerOf(
    'short.ts',
    `let calls = 0
export function score({ steps, episode, reward }: { steps: number; episode: string; reward: number | null }) {
  if (episode === 'ep-0000003') throw new TypeError('no such field')
  if (episode === 'ep-0000004') return 7
  return { value: reward === 1 ? 1 : 0, note: \`\${steps} steps\` }
}
`,
  )
  const first = await scoreAll('--name', 'short', '--scorer', path)
  expect(first.notes).toContain('short: 28 of 30 episodes scored, 2 with an error')
  expect(first.report).toMatchObject({ episodes: 30, scored: 28, missing: 0, errors: 2, outdated: 0 })
  expect(first.report.agreement).toMatchObject({ pairs: 28, without_score: 2, accuracy: 1 })
  expect(first.report.first_errors).toEqual([
    { episode: 'ep-0000003', error: 'TypeError: no such field' },
    { episode: 'ep-0000004', error: expect.stringContaining('7, which is no number from 0 to 1') },
  ])
  const again = await scoreAll('--name', 'short', '--scorer', path)
  expect(again.notes).toContain('0 of 30 episodes scored, 30 judged before by this version')
  const errors = await scoreAll('--name', 'short', '--scorer', path, '--again')
  expect(errors.notes).toContain('0 of 30 episodes scored, 28 judged before by this version, 2 with an error')
})

test('a changed scorer judges all again, and only as many as are asked for', async () => {
  const path = await scorerOf('half.ts', 'export const score = async () => 0.5\n')
  await scoreAll('--name', 'half', '--scorer', path, '--limit', '3')
  const { report } = await scoreAll('--name', 'half')
  expect(report).toMatchObject({ scored: 3, missing: 27, value: { mean: 0.5 } })
  await scorerOf('quarter.ts', 'export default () => 0.25\n')
  const changed = await scoreAll('--name', 'half', '--scorer', join(folder, 'quarter.ts'))
  expect(changed.notes).toContain('30 of 30 episodes scored')
  expect(changed.report.value.mean).toBe(0.25)
})

test('the figures are shown to people, beside the reward or another score', async () => {
  const path = await scorerOf('one.ts', 'export const score = () => 1\n')
  const shown = await espalier('score', id, '--name', 'one', '--scorer', path, ...data)
  expect(shown).toMatchObject({ exitCode: 0 })
  expect(shown.out).toContain(`score one of ${id}, by a scorer`)
  expect(shown.out).toContain('30 played to an end: 30 scored, 0 not judged, 0 with an error')
  expect(shown.out).toMatch(/agreement with reward over 30 episodes that have both/)
  expect(shown.out).toContain('kappa')
  const report = await espalier('report', id, ...data)
  expect(report.out).toMatch(/score +by +mean +scored +missing +errors +outdated/)
  expect(report.out).toMatch(/one +scorer +1\.00/)
})

test('what cannot be scored is refused with the way out', async () => {
  const path = await scorerOf('none.ts', 'export const other = 1\n')
  expect(await espalier('score', id, ...data)).toMatchObject({ exitCode: 2 })
  expect(await espalier('score', id, '--name', 'x', '--scorer', path, '--limit', '0.5')).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('a whole number from 1 on'),
  })
  const wrong = await espalier('score', id, '--name', 'x', '--scorer', path, ...data)
  expect(wrong).toMatchObject({ exitCode: 2, notes: expect.stringContaining('exports no function "score"') })
  const unknown = await espalier('score', id, '--name', 'unknown', ...data)
  expect(unknown).toMatchObject({ exitCode: 1, notes: expect.stringContaining('Nothing was judged under') })
  const reward = await espalier('score', id, '--name', 'reward', '--scorer', path, ...data)
  expect(reward.exitCode).toBe(2)
})

test('a command that is stopped keeps what it has scored, and goes on from there', async () => {
  const [begun, interrupted] = [join(folder, 'begun'), join(folder, 'interrupted')]
  const path = await scorerOf(
    'slow.ts',
    `import { existsSync, writeFileSync } from 'node:fs'
export async function score({ episode }: { episode: string }) {
  if (episode > 'ep-0000024' && !existsSync(${JSON.stringify(begun)})) {
    writeFileSync(${JSON.stringify(begun)}, '')
    while (!existsSync(${JSON.stringify(interrupted)})) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return 1
}
`,
  )
  const terminal = recordingTerminal()
  const running = runCli(['score', id, '--name', 'slow', '--scorer', path, ...data], terminal)
  await expect.poll(() => existsSync(begun), { interval: 5 }).toBe(true)
  terminal.interrupt()
  await writeFile(interrupted, '')
  expect(await running).toBe(130)
  expect(terminal.notes.join('\n')).toContain('What is scored is kept; go on: espalier score')
  expect((await scoreAll('--name', 'slow')).report).toMatchObject({ scored: 25, missing: 5 })
  const { notes, report } = await scoreAll('--name', 'slow', '--scorer', path)
  expect(notes).toContain('5 of 30 episodes scored, 25 judged before')
  expect(report).toMatchObject({ episodes: 30, scored: 30 })
})

test('a model grades by a rubric, within a budget, and its cost is said', async () => {
  const rubric = await scorerOf('careful.md', 'Ten points where the agent looks before it crafts.\n')
  const words = ['--name', 'careful', '--rubric', rubric, '--judge', 'simulated:simulated']
  const first = await scoreAll(...words, '--budget', '1')
  expect(first.notes).toMatch(/careful: 30 of 30 episodes scored, 0 with an error; \d+ calls, .* tokens, \$0/)
  expect(first.report).toMatchObject({ kind: 'scorer', scored: 30, agreement: { pairs: 30 } })
  const again = await scoreAll(...words)
  expect(again.notes).toContain('0 of 30 episodes scored, 30 judged before by this judge')
  const against = await scoreAll('--name', 'careful', '--against', 'careful')
  expect(against.report.agreement).toMatchObject({ against: 'careful', accuracy: 1, mean_difference: 0 })
  const wrong = await scoreAll('--name', 'careful', '--rubric', rubric)
  expect(wrong).toMatchObject({ exitCode: 2, notes: expect.stringContaining('--judge endpoint:model') })
})
