import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { paperRecipes } from '../../shared/insight/recipes/recipes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function opened() {
  const folder = await temporaryFolder()
  return async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ')

// Lines that begin with "here:", and those that go on with them, depend on the machine.
const statements = (text: string) =>
  plain(
    text
      .split('\n')
      .filter((line) => !/^(?: {2}here: | {8})/.test(line))
      .join('\n'),
  )

test.each(paperRecipes.map(({ id }) => id))(
  '%s states its needs as the guide prints them, and exits with 1 while some are missing',
  async (id) => {
    const espalier = await opened()
    const { exitCode, out } = await espalier('reproduce', id, '--check', '--model', 'simulated')
    expect(exitCode).toBe(1)
    const guide = await readFile(join(import.meta.dirname, '../../docs/recipes.md'), 'utf8')
    const blocks = [...guide.matchAll(/```text\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const block = blocks.find((each) => each.startsWith(`${id}: `)) ?? ''
    const marks = /[✓✗?]/g
    expect(statements(block).replaceAll(marks, '')).toBe(`${statements(out).replaceAll(marks, '')} `)
  },
)

test.each(paperRecipes.map(({ id }) => id))(
  '%s plays with the simulated model, goes on where it was, and prints both tables with the differences',
  async (id) => {
    const espalier = await opened()
    const words = [
      'reproduce',
      id,
      '--table',
      '1',
      '--practice',
      '1',
      '--model',
      'simulated',
      '--parallel',
      '2',
    ]
    const first = await espalier(...words, '--json')
    expect(first.exitCode, first.notes).toBe(0)
    const { tables, differences } = JSON.parse(first.out)
    const recipe = paperRecipes.find((each) => each.id === id)
    for (const row of recipe?.tables[0]?.rows ?? []) {
      const own = tables[0].values.filter((value: { row: string }) => value.row === row.label)
      expect(own.map(({ paper }: { paper: number }) => paper)).toEqual(row.published.slice(0, own.length))
      const played = own.filter(({ here }: { here: number | null }) => here !== null)
      expect(played.length > 0, row.label).toBe(row.preset !== undefined)
    }
    expect(differences[0]).toMatch(/^Models: the paper has .*; here simulated\/simulated\.$/)
    expect(differences.at(-1)).toMatch(/simulated model/)
    const again = await espalier(...words)
    expect(again.notes).not.toContain('begins')
    for (const { run } of tables[0].values) if (run !== null) expect(again.out).toContain(run)
  },
)

test('a recipe without a model plays nothing, and a wrong option is named', async () => {
  const espalier = await opened()
  const without = await espalier('reproduce', 'eto')
  expect(without.exitCode).toBe(1)
  expect(without.notes).toContain('Nothing of eto can be played: give --use gpt-4=ENDPOINT:MODEL')
  const table = await espalier('reproduce', 'eto', '--table', '3', '--model', 'simulated')
  expect(table).toMatchObject({ exitCode: 2, notes: expect.stringContaining('eto has the tables 1 to 1') })
  const none = await espalier('reproduce', 'eto', '--practice', '0', '--model', 'simulated')
  expect(none).toMatchObject({ exitCode: 2, notes: expect.stringContaining('from 1') })
  const use = await espalier('reproduce', 'eto', '--use', 'spt=simulated:a', '--model', 'simulated')
  expect(use.notes).toContain('--use: eto uses sft, eto, gpt-4, gpt-3.5, not "spt"')
})
