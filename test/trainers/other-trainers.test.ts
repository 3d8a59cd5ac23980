import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Message } from '../../shared/core/contracts/message.ts'
import {
  canonicalRows,
  chatml,
  conversations,
  dataFiles,
  folderOf,
  type LearnedText,
  learnedBy,
} from './canonical-rows.ts'
import { runPython } from './run-python.ts'

const weighted = ['sft', 'experts', 'revision', 'exploration'] as const
type Weighted = (typeof weighted)[number]

async function expectedOf(kind: Weighted): Promise<LearnedText[]> {
  const rows = await conversations(kind)
  return rows.map((row) => ({ text: chatml(row.messages), learned: learnedBy(row) }))
}

describe('axolotl, by the axolotl.yml of the dataset', () => {
  const kinds = [...weighted, 'step-preference', 'process-reward'] as const
  let read: unknown[] = []
  const rowsOf = (kind: (typeof kinds)[number]) => read[kinds.indexOf(kind)]

  beforeAll(async () => {
    const jobs = kinds.map((kind) => ({ folder: folderOf(kind, 'axolotl') }))
    read = await runPython('read_with_axolotl.py', jobs, inject('readers'))
  })

  test.each(weighted)('learns of %s what the weights say', async (kind) => {
    expect(rowsOf(kind)).toEqual(await expectedOf(kind))
  })

  test('compares the two answers of a step', async () => {
    const rows = await canonicalRows('step-preference')
    const answer = (side: unknown) => `${(side as Message[])[0]?.content}<|im_end|>`
    expect(rowsOf('step-preference')).toEqual(
      rows.map(({ prompt, chosen, rejected }) => ({
        prompt: `${chatml(prompt)}<|im_start|>assistant\n`,
        chosen: answer(chosen),
        rejected: answer(rejected),
      })),
    )
  })

  test('labels the end of each step', async () => {
    const rows = (await canonicalRows('process-reward')) as { labels: boolean[] }[]
    const labels = (rowsOf('process-reward') as { labels: number[] }[]).map((row) => row.labels)
    expect(labels).toEqual(rows.map((row) => row.labels.map(Number)))
  })
})

describe('XTuner', () => {
  let read: LearnedText[][] = []

  beforeAll(async () => {
    const jobs = await Promise.all(weighted.map(async (kind) => ({ files: await dataFiles(kind, 'xtuner') })))
    read = await runPython('read_with_xtuner.py', jobs, inject('readers'))
  })

  test.each(weighted)('learns of %s what the weights say', async (kind) => {
    expect(read[weighted.indexOf(kind)]).toEqual(await expectedOf(kind))
  })
})

describe('torchtune, by the functions that our configurations name', () => {
  test('learns of conversations what the weights say', async () => {
    const kinds = ['sft', 'revision', 'exploration'] as const
    const jobs = kinds.map(async (kind) => ({ files: await dataFiles(kind, 'trl'), pairs: false }))
    const read = await runPython('read_with_torchtune.py', await Promise.all(jobs), inject('readers'))
    expect(read).toEqual(await Promise.all(kinds.map((kind) => expectedOf(kind))))
  })

  test('compares sides behind their prompt', async () => {
    const files = await dataFiles('preference', 'trl')
    const [read] = await runPython('read_with_torchtune.py', [{ files, pairs: true }], inject('readers'))
    const side = (prompt: unknown, answers: unknown) => ({
      text: chatml(prompt) + chatml(answers),
      learned: (answers as Message[]).flatMap(({ role, content }) =>
        role === 'assistant' ? [`${content}<|im_end|>`] : [],
      ),
    })
    expect(read).toEqual(
      (await canonicalRows('preference')).map(({ prompt, chosen, rejected }) => ({
        chosen: side(prompt, chosen),
        rejected: side(prompt, rejected),
      })),
    )
  })
})

test('FastChat learns every answer', async () => {
  const [file] = await dataFiles('sft', 'fastchat')
  const [rows] = await runPython<{ learned: string }[]>(
    'read_with_fastchat.py',
    [{ file }],
    inject('readers'),
  )
  const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const answers = (await conversations('sft')).map(({ messages }) =>
    messages.flatMap(({ content, weight }) => (weight === 1 ? [`${content}</s>`] : [])),
  )
  expect(rows?.map(({ learned }) => words(learned))).toEqual(answers.map((each) => words(each.join(' '))))
})
