import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents, tableCommands } from './documents.ts'
import { openPage, type Page } from './open-page.ts'
import { outside } from './outside.ts'
import { readCommands } from './read-commands.ts'
import { tryOutside } from './try-outside.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** Commands that end otherwise than well, and why that is what the document shows. */
const endings: readonly { begins: string; exitCode: number; because: string }[] = [
  {
    begins:
      'espalier run --environment textcraft --method mcts --model simulated --split train --limit 4 --max',
    exitCode: 1,
    because: 'it shows a run that meets its cap',
  },
  ...['agent-r', 'eto', 'learnact', 'exact-vwa', 'exact-osworld'].map((recipe) => ({
    begins: `espalier reproduce ${recipe} --check`,
    exitCode: 1,
    because: 'the data of the paper is not here',
  })),
  {
    begins: 'espalier export RUN OTHER_RUN --expert TRAJECTORIES --kind preference --format trl',
    exitCode: 1,
    because: 'no two attempts of the runs that stand for these differ in reward, so that there are no pairs',
  },
]

const pages = documents
  .map((document) => ({
    file: document.file,
    commands: [
      ...document.fences.filter(({ language }) => language === 'sh'),
      ...tableCommands(document),
    ].flatMap(readCommands),
  }))
  .filter(({ commands }) => commands.length > 0)
const all = pages.flatMap(({ commands }) => commands)
const outsideOf = (text: string) => outside.find(({ begins }) => text.startsWith(begins))

let workshop: Workshop
beforeAll(async () => {
  workshop = await openWorkshop()
  return () => workshop.close()
})

describe.each(pages)('$file', ({ file, commands }) => {
  let page: Page
  beforeAll(async () => {
    page = await openPage(file, workshop)
  })
  afterAll(() => page.close())

  test.each(commands.map((command) => [command.line, command.text.replaceAll('\n', ' '), command] as const))(
    '%i: %s',
    async (_line, _text, command) => {
      const entry = outsideOf(command.text)
      if (entry !== undefined) {
        await tryOutside(command, entry.tried)
        return
      }
      const expected = endings.find(({ begins }) => command.text.startsWith(begins))?.exitCode ?? 0
      const { exitCode, out, notes } = await page.run(command)
      expect(exitCode, `${notes}\n${out}`).toBe(expected)
    },
  )
})

test('whatever is said to need something from outside, or to end otherwise, is still in the documents', () => {
  const unused = [...outside, ...endings].filter(
    ({ begins }) => !all.some(({ text }) => text.startsWith(begins)),
  )
  expect(unused).toEqual([])
})
