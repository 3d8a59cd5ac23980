import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { openLearningEngine } from '../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../support/open-test-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

/** A data folder in which a run has learned, and which no process holds. */
async function learnedFolder() {
  const folder = await temporaryFolder()
  const world = await openLocalWorld({ folder })
  const learning = [{ group: 'boil', tasks: ['boil-1'] }]
  const engine = openLearningEngine({ world, sharing: { learning, writes: ['memory', 'library'] } })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest())
  await untilStatus(engine, id, 'succeeded')
  await engine.stop()
  await world.close()
  return { folder, run: id, memory: id.replace('run-', 'mem-'), library: id.replace('run-', 'lib-') }
}

async function espalier(folder: string, ...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli([...words, '--folder', folder], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('what runs have learned is listed and shown, for people and as JSON', async () => {
  const { folder, library, memory, run } = await learnedFolder()
  expect((await espalier(folder, 'memories')).out).toContain(memory)
  expect(JSON.parse((await espalier(folder, 'libraries', '--json')).out).data).toMatchObject([
    { id: library, run },
  ])

  const notes = await espalier(folder, 'memories', memory, '--limit', '3')
  expect(notes.out).toContain('ep-0000001  a  policy')
  expect(notes.notes).toContain(`espalier memories ${memory} --after 'ep-0000003/0'`)
  const rest = await espalier(folder, 'memories', memory, '--after', 'ep-0000003/0', '--json')
  expect(JSON.parse(rest.out)).toMatchObject({
    id: memory,
    note_list: { data: [{ task: 'd' }], has_more: false },
  })

  const actions = await espalier(folder, 'libraries', library)
  expect(actions.out).toMatch(/^lib-\S+: react on textcraft, run-\S+\n\ncarry\(ball\) {2}for boil\n/)
  expect(actions.out).toContain('    function carry(ball) {}')
})

test('the run and its report show what learned', async () => {
  const { folder, library, memory, run } = await learnedFolder()
  const shown = (await espalier(folder, 'show', run)).out
  expect(shown).toContain('learning     1 of them learn for the others')
  expect(shown).toContain(`leaves       ${memory}; in a later run: --set memory_from=${memory}`)
  expect(shown).toContain(`leaves       ${library}; in a later run: --set library=${library}`)
  expect(shown).toMatch(/ep-0000000 +learn:boil +completed/)
  expect((await espalier(folder, 'show', run, 'ep-0000000')).out).toContain('it learns for the others')
  expect((await espalier(folder, 'report', run)).out).toContain('1 of the episodes learned for the others')
})

test('what there is not is refused with the way out', async () => {
  const { folder } = await learnedFolder()
  const refused = await espalier(folder, 'memories', 'mem-0000000000-00000000')
  expect(refused.exitCode).toBeGreaterThan(0)
  expect(refused.notes).toContain('There is no memory "mem-0000000000-00000000"')
})
