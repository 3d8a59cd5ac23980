import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test('a board is played, exported, and verified by an installation that has no run of it', async () => {
  const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
  const espalier = async (at: string, ...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', at], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const practice = ['board', 'run', 'textcraft', '--model', 'simulated', '--limit', '2']
  const played = await espalier(folder, ...practice)
  expect(played.exitCode, played.notes).toBe(0)
  const [run] = JSON.parse((await espalier(folder, 'runs', '--json')).out).data
  expect(run).toMatchObject({ request: { preset: { id: 'agent-r-eval' }, metadata: {} } })
  expect(run.passport.terms).toMatchObject({ environment: 'textcraft', scorer: '1', 'resolved.horizon': 100 })
  expect(run.passport.terms.tasks).toMatch(/^2 tasks, digest /)
  expect((await espalier(folder, 'show', run.id)).out).toContain(
    `passport     ${run.passport.digest}; 2 tasks`,
  )

  const file = join(elsewhere, 'submission.json')
  const exported = await espalier(folder, 'board', 'export', 'latest', '--out', file)
  expect(exported.exitCode, exported.notes).toBe(0)
  const again = join(elsewhere, 'again.json')
  await espalier(folder, 'board', 'export', run.id, '--out', again)
  expect(await readFile(again, 'utf8')).toBe(await readFile(file, 'utf8'))
  const verified = await espalier(elsewhere, 'board', 'verify', file)
  expect(verified.exitCode, verified.notes).toBe(0)
  expect(verified.out).toContain(
    `valid, board none, react by simulated/simulated, 2 tasks, 2 of 2 episodes scored,`,
  )
  expect(verified.out).toContain(', simulated, data: generated; passport')
  const described = await espalier(elsewhere, 'board', 'verify', file, '--json')
  expect(JSON.parse(described.out).data).toMatchObject([{ episodes: 2, scored: 2, origin: 'generated' }])

  await writeFile(again, (await readFile(file, 'utf8')).replace('"epoch": 0', '"epoch": 1'))
  const refused = await espalier(elsewhere, 'board', 'verify', again)
  expect(refused.exitCode).toBe(1)
  expect(refused.notes).toContain('The submission is refused at results: it was changed after the export')
})

test('a board whose data is not here is not played, and says the data that it needs', async () => {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, notes: terminal.notes.join('\n') }
  }
  const counted = await espalier('board', 'run', 'textcraft', '--model', 'simulated')
  expect(counted.exitCode).not.toBe(0)
  expect(counted.notes).toMatch(
    /The board textcraft has 100 tasks, and the data here gives \d+\. It needs the recipes/,
  )
  const generated = await espalier('board', 'run', 'pddl', '--model', 'simulated')
  expect(generated.exitCode).not.toBe(0)
  expect(generated.notes).toMatch(
    /The board pddl is of a data pack.* It needs AgentBoard’s folder of problems/,
  )
  const listed = await espalier('board', 'run', 'scienceworld-test', '--model', 'simulated')
  expect(listed.notes).toContain('needs --task-file: ETO’s list of test tasks')
  const absent = await espalier('board', 'run', 'visualwebarena', '--model', 'simulated')
  expect(absent.notes).toMatch(
    /There is no environment "visualwebarena".* The board visualwebarena needs its task files/s,
  )
  expect((await espalier('board', 'run', 'webshp', '--model', 'simulated')).notes).toContain('webshop')
})
