import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type DatasetRequestInput, lineageRowSchema } from '../../../shared/core/contracts/dataset.ts'
import { forkedPath } from '../../builders/trees.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { buildNow, openTestDatasets } from './open-test-datasets.ts'
import { type PlayedEpisode, readLines, request, StoredRuns } from './stored-runs.ts'

interface PromptedTask {
  task: string
  prompt: string
}

/** An attempt at the task with the prompt; no two are played the same way. */
function played({ task, prompt }: PromptedTask, index: number): PlayedEpisode {
  const tree = forkedPath(task, 2)
  const nodes = tree.nodes.map((node) =>
    node.message === null ? node : { ...node, message: `${node.message} (${index})` },
  )
  const messages = [{ role: 'user' as const, content: prompt }]
  return { status: 'succeeded', reward: 1, tree: { ...tree, messages, nodes } }
}

/** A dataset of the attempts, and of every row its split, its task and its prompt. */
async function build(attempts: PromptedTask[], splitOf: Map<string, string>, asked: DatasetRequestInput) {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const known = new Map([...splitOf].map(([task, split]) => [task, { split }]))
  const runs = new StoredRuns(world.objects, { 'run-1': attempts.map(played) })
  const datasets = openTestDatasets(world, runs, { splitsOf: async () => known })
  const { id } = await datasets.of('t').create(request(asked))
  await buildNow(datasets, id)
  const dataset = await datasets.of('t').get(id)
  expect(dataset.error).toBeNull()
  const files = await datasets.of('t').files(id)
  const rows = []
  for (const { key, name } of files) {
    const split = /^lineage-(?:(.+)-)?\d{5}\./.exec(name)?.[1] ?? 'train'
    if (!name.startsWith('lineage-')) continue
    for (const line of await readLines(world.objects, key)) {
      const { origin, task } = lineageRowSchema.parse(line)
      const attempt = attempts[Number(origin.episode.slice(3))]
      expect(attempt?.task).toBe(task)
      rows.push({ split, task, prompt: attempt?.prompt })
    }
  }
  return { dataset, rows }
}

const attempts = fc.array(
  fc.record({ task: fc.nat(12).map((each) => `t${each}`), prompt: fc.nat(16).map((each) => `p${each}`) }),
  { minLength: 1, maxLength: 20 },
)
const splits = fc.constantFrom(
  undefined,
  { train: 0.5, validation: 0.5 },
  { train: 0.8, dev: 0.1, test: 0.1 },
)
/** How the environment divides its tasks; one that it does not know has no split. */
const environmentSplits = fc
  .array(fc.constantFrom('train', 'test', null), { minLength: 13, maxLength: 13 })
  .map(
    (each) =>
      new Map<string, string>(
        each.flatMap((split, index) => (split === null ? [] : [[`t${index}`, split] as const])),
      ),
  )

test('no task that is held out, and no prompt of one, is in any split, and no task or prompt is in two', async () => {
  await fc.assert(
    fc.asyncProperty(attempts, environmentSplits, splits, fc.nat(100), async (all, splitOf, shares, seed) => {
      const { dataset, rows } = await build(all, splitOf, {
        runs: ['run-1'],
        seed,
        ...(shares !== undefined && { splits: shares }),
      })
      const heldOut = all.filter(({ task }) => splitOf.get(task) === 'test')
      const heldOutPrompts = new Set(heldOut.map(({ prompt }) => prompt))
      for (const { task, prompt } of rows) {
        expect(splitOf.get(task)).not.toBe('test')
        expect(heldOutPrompts).not.toContain(prompt)
      }
      for (const field of ['task', 'prompt'] as const) {
        const where = Map.groupBy(rows, (row) => row[field])
        for (const own of where.values()) expect(new Set(own.map(({ split }) => split)).size).toBe(1)
      }
      expect(dataset.gates.held_out).toEqual({ found: heldOut.length, dropped: heldOut.length })
      // Only prompts of tasks that are held out leak: the dataset's own splits never do.
      const twins = all.filter(
        ({ task, prompt }) => splitOf.get(task) !== 'test' && heldOutPrompts.has(prompt),
      )
      expect(dataset.gates.leaks).toEqual({ found: twins.length, dropped: twins.length })
      expect(dataset.rows).toBe(all.length - heldOut.length - twins.length)
    }),
    { numRuns: 25 },
  )
})

test('kept by the request, tasks that are held out are divided like the others', async () => {
  const all = Array.from({ length: 10 }, (_, index) => ({ task: `t${index}`, prompt: `p${index}` }))
  const { dataset, rows } = await build(all, new Map(all.map(({ task }) => [task, 'test'])), {
    runs: ['run-1'],
    splits: { train: 0.7, validation: 0.3 },
    gates: { held_out: 'keep' },
  })
  expect(rows).toHaveLength(10)
  expect(dataset.splits).toEqual({ train: { rows: 7, tasks: 7 }, validation: { rows: 3, tasks: 3 } })
  expect(dataset.gates.held_out).toEqual({ found: 10, dropped: 0 })
})

test('shares are those of the tasks that may come in', async () => {
  const all = Array.from({ length: 20 }, (_, index) => ({ task: `t${index}`, prompt: `p${index}` }))
  const splitOf = new Map(all.map(({ task }, index) => [task, index < 10 ? 'train' : 'test']))
  const shares = { train: 0.5, validation: 0.5 }
  const { dataset } = await build(all, splitOf, { runs: ['run-1'], splits: shares })
  expect(dataset.splits).toEqual({ train: { rows: 5, tasks: 5 }, validation: { rows: 5, tasks: 5 } })
})
