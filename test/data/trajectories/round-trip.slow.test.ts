import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFiles } from '../../../cli/import/import-files.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import {
  importSettingsSchema,
  type TrajectoryFormat,
} from '../../../shared/core/contracts/trajectory-import.ts'
import { type Tree, treeSchema } from '../../../shared/core/contracts/tree.ts'
import { sft } from '../../../shared/data/datasets/kinds/sft.ts'
import { fileExtension, openRowFile } from '../../../shared/data/datasets/open-row-file.ts'
import { pathTo } from '../../../shared/data/datasets/path-to.ts'
import { readAnswerAction } from '../../../shared/data/formats/answer-action.ts'
import { datasetFormats } from '../../../shared/data/formats/formats.ts'
import type { DatasetFormat } from '../../../shared/data/formats/trainer-format.ts'
import { pathTree } from '../../../shared/data/trajectories/read-row.ts'
import { attemptsOf } from '../../builders/attempts.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { playOnce, summarise } from '../../support/play-once.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { findAll } from '../datasets/kinds/hand-made.ts'
import { allOf, played, readText, trajectoriesOf } from './read-text.ts'

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => `x${text}`)
const line = word.map((text) => text.replaceAll(/[\r\n\u2028\u2029]/g, ' ').trim())

/** Trajectories as they are played here: perhaps a system text, a task, answers with actions, and what they led to. */
const anyTree = fc
  .record({
    system: fc.option(word, { nil: null }),
    task: word,
    number: fc.nat(9999),
    steps: fc.array(fc.record({ thought: word, action: line, observation: word }), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(({ system, task, number, steps }): Tree => {
    const messages: Message[] = [
      ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: task },
    ]
    const turns = steps.map(({ thought, action, observation }) => {
      const message = `Thought: ${thought}\nAction: ${action}`
      return { message, action: readAnswerAction(message), observation }
    })
    return {
      schema_version: 'espalier-tree-v1',
      environment: 'textcraft',
      task: `textcraft-${number}`,
      method: 'react',
      messages,
      best: steps.length,
      nodes: pathTree(messages, turns, 1),
    }
  })

/** What a format cannot hold of a trajectory: the last observation, which no answer follows, and a system text of its own. */
function asTold(tree: Pick<Tree, 'messages' | 'nodes'>, hasSystem: boolean) {
  const { head, steps } = played(tree as Parameters<typeof played>[0])
  const [first, second, ...rest] = head as Message[]
  const joined =
    first?.role === 'system' && second !== undefined && !hasSystem
      ? [{ role: 'user', content: `${first.content}\n\n${second.content}` }, ...rest]
      : head
  return {
    head: joined,
    steps: steps.map((step, at) => (at === steps.length - 1 ? { ...step, observation: [] } : step)),
  }
}

async function exported(trees: readonly Tree[], format: DatasetFormat, folder: string): Promise<string> {
  const file = openRowFile(format)
  for (const [row, tree] of trees.entries()) {
    const { rows } = await findAll(sft, attemptsOf([tree]))
    const facts = {
      kind: 'sft',
      environment: tree.environment,
      task: tree.task,
      row,
      reward: 1,
      other_reward: null,
    } as const
    for (const each of rows) await file.add(JSON.stringify(format.write(each, facts)))
  }
  const path = join(folder, `data-00001${fileExtension(format)}`)
  await writeFile(path, (await file.end()).body)
  return path
}

const whole = datasetFormats.filter(({ kinds }) => kinds.includes('sft'))
const namesTask = new Set(['fastchat', 'agenttraj', 'agent-r'])
const hasNoSystem = new Set(['fastchat', 'agenttraj'])

describe('what is exported and imported again is the same trajectory', () => {
  test('and every format of whole trajectories is there', () => {
    expect(whole.map(({ id }) => id)).toEqual([
      'openai',
      'trl',
      'llama-factory',
      'axolotl',
      'xtuner',
      'fastchat',
      'agenttraj',
      'agent-r',
      'parquet',
    ])
  })

  test.each(whole.map((format) => [format.id, format] as const))('in %s', async (id, format) => {
    const folder = await temporaryFolder()
    const settings = importSettingsSchema.parse({ format: id, environment: 'textcraft' })
    await fc.assert(
      fc.asyncProperty(fc.array(anyTree, { minLength: 1, maxLength: 4 }), async (trees) => {
        const path = await exported(trees, format, folder)
        const found = trajectoriesOf(await allOf(readFiles([path], settings, () => {})))
        const hasSystem = !hasNoSystem.has(id)
        expect(found.map(({ tree }) => asTold(tree, hasSystem))).toEqual(
          trees.map((tree) => asTold(tree, hasSystem)),
        )
        expect(found.map(({ reward }) => reward)).toEqual(trees.map(() => 1))
        if (namesTask.has(id))
          expect(found.map(({ tree }) => tree.task)).toEqual(trees.map(({ task }) => task))
      }),
      { numRuns: 25 },
    )
  })

  test.each(whole.map((format) => [format.id, format] as const))(
    'in %s: thoughts beside an answer stay if the format has a place for them',
    async (_, format) => {
      const messages = [
        { role: 'user' as const, content: 'Rules.' },
        { role: 'assistant' as const, content: 'OK', reasoning: 'Thought of the head' },
        { role: 'user' as const, content: 'Goal.' },
      ]
      const steps = [{ message: 'Action: look', reasoning: 'Thought of the step', observation: 'x' }]
      const tree: Tree = {
        schema_version: 'espalier-tree-v1',
        ...{ environment: 'textcraft', task: 'textcraft-1', method: 'expert' },
        ...{ messages, best: 1, nodes: pathTree(messages, steps, 1) },
      }
      expect(JSON.stringify(treeSchema.parse(tree))).toMatch(/Thought of the head.*Thought of the step/)
      const { rows } = await findAll(sft, attemptsOf([tree]))
      expect(rows).toHaveLength(1)
      const facts = { kind: 'sft', environment: 'textcraft', task: 'textcraft-1', row: 0 } as const
      for (const row of rows) {
        const written = format.write(row, { ...facts, reward: 1, other_reward: null })
        const kept = JSON.stringify(written).match(/Thought of the \w+/g) ?? []
        const isKept = format.keepsThoughts?.('sft') === true
        expect(kept).toEqual(isKept ? ['Thought of the head', 'Thought of the step'] : [])
      }
    },
  )

  test('in ATIF: also with rewards, ends and what the last action led to', async () => {
    const { world, close } = await openOwnWorld()
    const options = {
      world,
      method: { id: 'mcts', iterations: 6, samples: 2, max_depth: 4 },
      environment: createHashEnvironment(3, { depth: 4 }),
      model: createHashModel({}),
    }
    await playOnce(options)
    const summary = await summarise(options)
    const tree = summary?.tree as unknown as Tree
    const content = JSON.stringify(summary?.trajectory, null, 2)
    const [found] = trajectoriesOf(await readText(content, { format: 'atif' satisfies TrajectoryFormat }))
    await close()
    const path = pathTo(tree, tree.best).map((id) => tree.nodes[id])
    const facts = (nodes: readonly (Tree['nodes'][number] | undefined)[]) =>
      nodes.slice(1).map((node) => [node?.action, node?.message, node?.observation, node?.reward, node?.done])
    expect(path.length).toBeGreaterThan(2)
    expect(facts(found?.tree.nodes ?? [])).toEqual(facts(path))
    expect(found).toMatchObject({
      reward: summary?.reward,
      tree: { method: 'mcts', messages: tree.messages },
    })
  })
})
