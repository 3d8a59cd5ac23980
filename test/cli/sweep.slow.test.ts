import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { shareBudget } from '../../cli/sweep/share-budget.ts'
import { cellsOf } from '../../cli/sweep/sweep-cells.ts'
import { parseSweep } from '../../cli/sweep/sweep-file.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { endedRun } from '../builders/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

const small = `
name: depth
methods: [react, act]
environments: [{ id: textcraft, tasks: { split: test, limit: 2 } }]
models: [simulated:simulated]
seeds: [0, 1]
parallel: 2
`

async function folderWith(text: string) {
  const folder = await temporaryFolder()
  const path = join(folder, 'sweep.yaml')
  await writeFile(path, text)
  return {
    path,
    folder: ['--folder', join(folder, 'data')],
    write: (other: string) => writeFile(path, other),
  }
}

async function runsOf(folder: string[]): Promise<Run[]> {
  return JSON.parse((await espalier('runs', '--archived', 'any', ...folder, '--json')).out).data as Run[]
}

test('a sweep plays each cell once, however often it is started, and goes on with new seeds', async () => {
  const { path, folder, write } = await folderWith(small)
  const planned = await espalier('sweep', path, '--dry-run', ...folder, '--json')
  expect(JSON.parse(planned.out)).toMatchObject({ object: 'sweep_plan', experiment: 'depth', episodes: 8 })
  expect(await runsOf(folder)).toEqual([])

  const played = await espalier('sweep', path, ...folder, '--json')
  expect(played).toMatchObject({ exitCode: 0 })
  const first = JSON.parse(played.out) as { cells: { cell: string; run: string; status: string }[] }
  expect(first.cells.map(({ cell, status }) => `${cell}: ${status}`)).toEqual([
    'react · textcraft · simulated:simulated · seed 0: succeeded',
    'react · textcraft · simulated:simulated · seed 1: succeeded',
    'act · textcraft · simulated:simulated · seed 0: succeeded',
    'act · textcraft · simulated:simulated · seed 1: succeeded',
  ])
  const runs = await runsOf(folder)
  expect(runs.map(({ request }) => request.experiment)).toEqual(Array(4).fill('depth'))

  // Labels may change; the cell is still known.
  await espalier('label', first.cells[0]?.run ?? '', '--experiment', 'other', '--name', 'x', ...folder)
  await write(small.replace('seeds: [0, 1]', 'seeds: [0, 1, 2]'))
  const again = await espalier('sweep', path, ...folder)
  expect(again.exitCode).toBe(0)
  expect(again.out).toContain('6/6 runs')
  expect((await runsOf(folder)).length).toBe(6)

  await write(small.replace('limit: 2', 'limit: 3'))
  const changed = await espalier('sweep', path, ...folder)
  expect(changed.exitCode).toBe(1)
  expect(changed.notes).toMatch(/played "react · .*" with other settings/)
  expect((await runsOf(folder)).length).toBe(6)
})

test('the budget keeps cells from being started, caps each run, and a larger one lets the sweep go on', async () => {
  const { path, folder, write } = await folderWith(`${small}budget: { tokens: 3000 }\n`)
  const stopped = await espalier('sweep', path, ...folder)
  expect(stopped.exitCode).toBe(1)
  expect(stopped.notes).toContain('The budget allows no more')
  const runs = await runsOf(folder)
  const used = runs.reduce((sum, { usage }) => sum + usage.input_tokens + usage.output_tokens, 0)
  expect(used).toBeLessThanOrEqual(3000)
  for (const { request } of runs) expect(request.limits.tokens).toBeLessThanOrEqual(3000)

  await write(`${small}budget: { tokens: 10000000 }\n`)
  expect((await espalier('sweep', path, ...folder)).exitCode).toBe(0)
  const after = await runsOf(folder)
  expect(after.map(({ status }) => status)).toEqual(Array(4).fill('succeeded'))
})

test('a cell that cannot be played stops the sweep before anything is played', async () => {
  const { path, folder } = await folderWith(small.replace('act]', '{ id: mcts, iterations: -1 }]'))
  const refused = await espalier('sweep', path, ...folder)
  expect(refused.exitCode).toBe(1)
  expect(refused.notes).toMatch(/"mcts iterations=-1 · .*iterations/)
  expect(await runsOf(folder)).toEqual([])
})

test.each([
  ['name: [', 'is not YAML'],
  ['- a', 'must hold name, methods'],
  [small.replace('methods', 'method'), 'Did you mean "methods"?'],
  [small.replace('seeds: [0, 1]', 'seeds: [-1]'), '"seeds[0]"'],
  [small.replace('parallel: 2', 'parallel: 0'), '"parallel"'],
  [small.replace('[simulated:simulated]', '[simulated]'), '"models[0]"'],
  [small.replace('[react, act]', '[react, react]'), 'methods[1]: two are called "react"'],
  [small.replace('seeds: [0, 1]', 'seeds: [1, 1]'), 'name each seed once'],
  [`${small}budget: { euros: 3 }`, 'euros'],
])('a bad file is refused by what is wrong: %#', async (text, message) => {
  const { path, folder } = await folderWith(text)
  const refused = await espalier('sweep', path, '--dry-run', ...folder)
  expect(refused.exitCode).not.toBe(0)
  expect(refused.notes).toContain(message)
})

test('cells have names of their own, and digests that follow their settings alone', () => {
  const cells = cellsOf(parseSweep(small, 'a.yaml'))
  const others = cellsOf(parseSweep(small.replace('limit: 2', 'limit: 3'), 'a.yaml'))
  expect(new Set(cells.map(({ name }) => name)).size).toBe(4)
  expect(others.map(({ name }) => name)).toEqual(cells.map(({ name }) => name))
  for (const [at, { digest }] of cells.entries()) expect(others[at]?.digest).not.toBe(digest)
  expect(cellsOf(parseSweep(`${small}budget: { cost: 1 }`, 'a.yaml'))).toEqual(cells)
})

test('what going runs may still use is kept of the budget, and the rest shared', () => {
  const run = (cost: number, cap?: number): Run => {
    const made = endedRun('run-1')
    const limits = cap === undefined ? {} : { cost: cap }
    return { ...made, usage: { ...made.usage, cost }, request: { ...made.request, limits } }
  }
  const going = [run(0.25, 1)]
  expect(shareBudget({ cost: 4 }, {}, { going, over: [run(1)], places: 2 })).toEqual({ cost: 1 })
  expect(shareBudget({ cost: 4 }, { cost: 0.5 }, { going, over: [], places: 1 })).toEqual({ cost: 0.5 })
  expect(shareBudget({ cost: 2 }, {}, { going, over: [run(1)], places: 1 })).toBeNull()
  expect(shareBudget({}, { tokens: 7 }, { going, over: [], places: 1 })).toEqual({ tokens: 7 })
})

test('run.preset holds in every cell, with its method if the file names none', () => {
  const of = (rest: string) =>
    cellsOf(
      parseSweep(`name: p\nenvironments: [webshop]\nmodels: [simulated:simulated]\n${rest}`, 'sweep.yaml'),
    )
  const [cell] = of('run: { preset: eto }')
  expect(cell?.name).toBe('eto · webshop · simulated:simulated · seed 0')
  expect(cell?.request).toMatchObject({ preset: 'eto', environment: 'webshop' })
  expect(cell?.request).not.toHaveProperty('method')
  const [react, act] = of('run: { preset: eto }\nmethods: [react, act]')
  expect([react?.request.method, act?.request.method]).toEqual([{ id: 'react' }, { id: 'act' }])
  expect(() => of('')).toThrow('methods')
  expect(() => of('run: { preset: none }')).toThrow('run.preset')
})

test('a sweep over a preset plays with its settings', async () => {
  const { path, folder } = await folderWith(`
name: eto
environments: [{ id: webshop, tasks: { limit: 1 } }]
models: [simulated:simulated]
run: { preset: eto }
`)
  expect((await espalier('sweep', path, ...folder)).exitCode).toBe(0)
  const [run] = await runsOf(folder)
  expect(run?.request).toMatchObject({
    preset: { id: 'eto' },
    method: { id: 'react', max_steps: 10, layout: 'eto' },
    model: { temperature: 0, max_tokens: 512 },
    tasks: { split: 'test', limit: 1 },
  })
})
