import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { GroupEvent, RolloutRun } from '../../shared/core/contracts/rollout.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const small = '--environment textcraft --method react --model simulated --record text --limit 2'.split(' ')

async function openFolder() {
  const folder = await temporaryFolder()
  return async (words: string[], terminal = recordingTerminal()) => {
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
}

test('a rollout is started, listed, shown and followed again behind a group', async () => {
  const espalier = await openFolder()
  const words = ['rollouts', 'start', ...small, '--group-size', '3', '--policy', 'step-4']
  const named = [...words, '--idempotency-key', 'batch-1']
  const started = await espalier([...named, '--json'])
  expect(started.exitCode).toBe(0)
  const lines = started.out.split('\n').map((line) => JSON.parse(line))
  const rollout = lines.at(-1) as RolloutRun
  expect(rollout).toMatchObject({ status: 'succeeded', version: 'step-4', group_size: 3 })
  const events = lines.slice(0, -1) as GroupEvent[]
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2])
  expect(events.flatMap(({ group }) => group.versions)).toEqual(['step-4', 'step-4'])

  const again = await espalier(named)
  expect(again.notes).toContain(rollout.id)
  expect(again.out).toMatch(/group \d · textcraft-\S+ · reward \d\.\d\d ± \d\.\d\d/)
  const list = await espalier(['rollouts', '--json'])
  expect(JSON.parse(list.out).data.map(({ id }: RolloutRun) => id)).toEqual([rollout.id])
  expect((await espalier(['rollouts'])).out).toMatch(/completed +step-4 +2\/2/)
  const shown = await espalier(['rollouts', 'show', rollout.id])
  expect(shown.out).toContain('groups    2/2 ended, 2 complete, 3 members each')
  const rest = await espalier(['rollouts', 'follow', rollout.id, '--after', '1', '--json'])
  expect(rest.out.split('\n').map((line) => JSON.parse(line).sequence)).toEqual([2, undefined])
})

test('a paused rollout says how to go on, and a cancelled one is not followed to success', async () => {
  const espalier = await openFolder()
  const paused = await espalier(['rollouts', 'start', ...small, '--max-tokens', '1', '--group-size', '2'])
  expect(paused.exitCode).toBe(1)
  expect(paused.notes).toMatch(/rollout-\S+ is paused: .*Go on: espalier resume run-/)
  const [id = ''] = /rollout-\w+-\w+/.exec(paused.notes) ?? []
  expect((await espalier(['rollouts', 'cancel', id])).out).toContain('status    cancelled')
  const followed = await espalier(['rollouts', 'follow', id])
  expect(followed.exitCode).toBe(1)
  expect(followed.notes).toContain('is cancelled')
})

test.each([
  [['--group-size', '0'], 'group_size'],
  [['--credit', 'advantage=magic'], 'advantage'],
  [['--record', 'none'], 'Allowed choices are tokens, text'],
  [['--file', '/no/such/file.json'], '/no/such/file.json'],
])('%j is refused by name, and nothing is begun', async (words, problem) => {
  const espalier = await openFolder()
  const refused = await espalier(['rollouts', 'start', ...small, ...words])
  expect(refused.exitCode).not.toBe(0)
  expect(refused.notes).toContain(problem)
  expect(JSON.parse((await espalier(['rollouts', '--json'])).out).data).toEqual([])
})
