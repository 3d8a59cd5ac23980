import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type InstalledPackage, installPackage, packageFolder } from './python-package.ts'

const run = promisify(execFile)
const folder = resolve(import.meta.dirname, '../../examples/notebooks')
const notebooks = readdirSync(folder).filter((name) => name.endsWith('.ipynb'))
let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
  return installed.remove
})

const program = `
import json, sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(book)
NotebookClient(book, timeout=280, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
print(json.dumps([[o.get("data", {}).get("text/html") or o.get("data", {}).get("text/plain") or o.get("text", "")
  for o in cell.outputs] for cell in book.cells if cell.cell_type == "code"]))
`

/** Executes a notebook in an empty folder. @returns the outputs of its code cells */
async function execute(name: string): Promise<string[][]> {
  const command = `${process.execPath} ${join(packageFolder, '../../cli/espalier.ts')}`
  const env = { ...installed.environment, ESPALIER_COMMAND: command, ESPALIER_PYTHON: installed.python }
  const words = ['-c', program, join(folder, name), await temporaryFolder()]
  const { stdout } = await run(installed.python, words, { env, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1))
}

const shown: Record<string, RegExp> = {
  'first-run.ipynb':
    /succeeded · \d of 4 solved[\s\S]*<table>[\s\S]*model_calls[\s\S]*mcts · \d+ nodes[\s\S]*● #0/,
  'own-environment.ipynb': /going-back\s+passed[\s\S]*<details/,
  'own-search.ipynb': /greedy-notebook keeps every law[\s\S]*success minus the first[\s\S]*<details/,
  'trees-to-trl.ipynb': /gave \d+ messages[\s\S]*held_out[\s\S]*chosen[\s\S]*reward/,
  'loop-with-control.ipynb': /train=20[\s\S]*control/,
  'judging-and-agreement.ipynb': /6[\s\S]*ep-[\s\S]*kappa[\s\S]*careful/,
}

test('there are six notebooks, each with a check of what it shows', () => {
  expect(notebooks.toSorted()).toEqual(Object.keys(shown).toSorted())
})

describe.each(notebooks)('%s', (name) => {
  test('opens with what it shows and how long it takes, and has no outputs', async () => {
    const { cells } = JSON.parse(await readFile(join(folder, name), 'utf8'))
    expect(cells[0].cell_type).toBe('markdown')
    expect(cells[0].source.join('')).toMatch(/^# .+\n\n.+ Takes .+ minute/)
    for (const cell of cells.filter((each: { cell_type: string }) => each.cell_type === 'code')) {
      expect(cell).toMatchObject({ outputs: [], execution_count: null })
    }
  })

  test('runs from its first cell to its last', async () => {
    const outputs = await execute(name)
    expect(outputs.flat().join('\n')).toMatch(shown[name] as RegExp)
  })
})
