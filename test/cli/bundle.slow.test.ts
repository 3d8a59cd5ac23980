import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseHTML } from 'linkedom'
import { beforeAll, expect, test } from 'vitest'
import { renderTree } from '../../cli/bundle/write-bundle.ts'
import { runCli } from '../../cli/run-cli.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { lentFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

let folder: string
let bundle: string
let runs: Run[]

async function espalier(words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli([...words, '--folder', folder], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

async function play(method: string, name: string): Promise<Run> {
  const words = ['run', '--environment', 'textcraft', '--method', method, '--model', 'simulated']
  const { out } = await espalier([...words, '--name', name, '--limit', '2', '--json'])
  const lines = out.split('\n').map((line) => JSON.parse(line))
  return lines.findLast(({ object }) => object === 'run')
}

beforeAll(async () => {
  const lent = await lentFolder()
  folder = lent.folder
  bundle = join(folder, 'bundle')
  runs = [await play('react', 'plain <b>react</b>'), await play('best-of-n', 'best')]
  expect((await espalier(['bundle', ...runs.map(({ id }) => id), '--out', bundle])).exitCode).toBe(0)
  return lent.remove
})

async function read(path: string) {
  return parseHTML(await readFile(path, 'utf8')).document
}

test('every link of every page leads to a page or a node of the bundle, and nothing is loaded from elsewhere', async () => {
  const names = await readdir(bundle, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.html')).map((name) => join(bundle, name))
  expect(pages).toHaveLength(1 + 2 + 4)
  for (const page of pages) {
    const document = await read(page)
    expect(document.querySelectorAll('script, link, img, iframe')).toHaveLength(0)
    for (const link of document.querySelectorAll('a')) {
      const [path = '', anchor] = (link.getAttribute('href') ?? '').split('#')
      const target = path === '' ? page : resolve(dirname(page), path)
      expect(pages).toContain(target)
      if (anchor !== undefined) expect(document.getElementById(anchor), `${page}#${anchor}`).not.toBeNull()
    }
  }
})

test('the first page has the runs with their figures, and the comparison with the first', async () => {
  const document = await read(join(bundle, 'index.html'))
  const text = document.body.textContent
  const report = JSON.parse((await espalier(['report', runs[0]?.id ?? '', '--json'])).out)
  expect(text).toContain(report.success_rate.mean.toFixed(2))
  expect(text).toContain('prove plumbing, not quality')
  expect(text).toContain('baseline')
  expect(text).toContain('method.id')
})

test('texts are shown as they are, and are no markup', async () => {
  const document = await read(join(bundle, 'runs', runs[0]?.id ?? '', 'index.html'))
  expect(document.querySelector('h1')?.textContent).toBe('plain <b>react</b>')
  expect(document.querySelectorAll('main b')).toHaveLength(0)
})

test('an episode shows every node of its tree, with the path to the answer open', async () => {
  const run = runs[1]?.id ?? ''
  const document = await read(join(bundle, 'runs', run, 'ep-0000000.html'))
  const tree: Tree = JSON.parse((await espalier(['show', run, 'ep-0000000', '--tree', '--json'])).out)
  const { nodes } = tree
  expect(document.querySelectorAll('ul.tree li')).toHaveLength(nodes.length)
  const open = [...document.querySelectorAll('ul.tree li > details[open]')]
  expect(open).toHaveLength((nodes[tree.best]?.depth ?? -1) + 1)
})

test('a path of thousands of steps is flat, as deep as browsers nest', async () => {
  const node = { observation: [], reward: 0, terminal: false, done: false, disaster: false, visits: 0 }
  const nodes = Array.from({ length: 3000 }, (_, index) => ({
    ...node,
    parent: index === 0 ? null : index - 1,
    depth: index,
    action: index === 0 ? null : `go ${index}`,
    message: null,
    value: 0,
    prior: 0,
    state_hash: null,
  }))
  const tree: Tree = {
    schema_version: 'espalier-tree-v1',
    environment: 'corridor',
    task: 'goal',
    method: 'react',
    messages: [],
    best: 0,
    nodes,
  }
  const { document } = parseHTML(`<main>${await renderTree(tree)}</main>`)
  expect(document.querySelectorAll('ul.tree > li')).toHaveLength(3000)
  expect(document.querySelectorAll('ul.tree ul.tree')).toHaveLength(0)
})

test('runs that cannot be compared are refused before a page is made', async () => {
  const words = ['run', '--environment', 'pddl', '--method', 'react', '--model', 'simulated', '--limit', '1']
  const { out } = await espalier([...words, '--json'])
  const other: Run = out
    .split('\n')
    .map((line) => JSON.parse(line))
    .findLast(({ object }) => object === 'run')
  const nowhere = join(folder, 'nowhere')
  const refused = await espalier(['bundle', runs[0]?.id ?? '', other.id, '--out', nowhere])
  expect(refused.exitCode).not.toBe(0)
  expect(refused.notes).toContain('environment')
  expect(await readdir(folder)).not.toContain('nowhere')
})

test('a run that is not there, and no folder, are errors with a way out', async () => {
  const unknown = await espalier(['bundle', 'run-none', '--out', bundle])
  expect(unknown).toMatchObject({ exitCode: 1, notes: expect.stringContaining('run-none') })
  expect(await espalier(['bundle', runs[0]?.id ?? ''])).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('--out'),
  })
})
