import { expect, test } from 'vitest'
import { formatHits } from '../../cli/format-hits.ts'
import { runCli } from '../../cli/run-cli.ts'
import { hitsExample } from '../../functions/api/openapi/transcript-examples.ts'
import { transcriptHitsSchema } from '../../shared/core/contracts/transcript-search.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('what a run wrote is found by a command, which says how to look at the node', async () => {
  const folder = ['--folder', await temporaryFolder()]
  expect((await espalier('search', 'anything', ...folder)).out).toBe('No run here is like that.')
  const run = ['run', '--environment', 'textcraft', '--method', 'mcts', '--set', 'iterations=2']
  await espalier(...run, '--model', 'simulated', '--limit', '2', ...folder)

  const asked = ['search', 'craft', '"crafting commands"', '--kind', 'observation', ...folder]
  const hits = transcriptHitsSchema.parse(JSON.parse((await espalier(...asked, '--json')).out))
  expect(hits).toMatchObject({ not_indexed: 0, runs: 1 })
  const [hit] = hits.data
  expect(hit).toMatchObject({ kind: 'observation', node: 0, environment: 'textcraft', method: 'mcts' })

  const { notes, out } = await espalier(...asked, '--limit', '1')
  expect(out).toContain(`${hit?.run} ${hit?.episode} #0  observation · textcraft/${hit?.task} · mcts · `)
  expect(out).toMatch(/crafting commands/i)
  expect(notes).toBe(`There is more to look at: the same command with --after ${hit?.id}`)
  const link = out.split('\n').find((line) => line.includes('espalier show')) ?? ''
  const shown = await espalier(...link.trim().split(' ').slice(1))
  expect(shown).toMatchObject({ exitCode: 0 })

  expect((await espalier('search', 'nothinglikethis', ...folder)).out).toBe(
    'Nothing like that was found in the run.',
  )
  const refused = await espalier('search', 'wool OR bed', ...folder)
  expect(refused.exitCode).not.toBe(0)
  expect(refused.notes).toContain('"OR" is no operator here')
  expect((await espalier('search', 'a', '--outcome', 'lost', ...folder)).exitCode).toBe(2)
})

test('what was found is painted, over the end of a line too, and nothing in it steers the terminal', () => {
  const [hit] = hitsExample.data
  if (hit === undefined) throw new Error('The example has a hit.')
  const snippet = [
    { text: 'Got\u001b[2J 3\n', match: false },
    { text: 'white wool', match: true },
    { text: '.', match: false },
  ]
  const paint = (_style: unknown, text: string) => `<${text}>`
  const hits = { ...hitsExample, not_indexed: 3, cut_episodes: 1, data: [{ ...hit, snippet }] }
  expect(formatHits(hits, () => 'LINK', { columns: 16, paint })).toEqual([
    `<${hit.run} ep-0000007 #4>  observation · textcraft/textcraft-31 · mcts · solved 1.00`,
    '    Got [2J 3',
    '    <white>',
    '    <wool>.',
    '    <LINK>',
    '',
    'Ended episodes',
    'that are not',
    'indexed yet: 3.',
    'Search again to',
    'add them.',
    'Episodes that',
    'are too long to',
    'be indexed',
    'whole: 1.',
  ])
})
