import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import {
  canonicalRows,
  chatml,
  conversations,
  folderOf,
  type LearnedText,
  learnedBy,
  learnedWithoutWeights,
} from './canonical-rows.ts'
import { runPython } from './run-python.ts'

/** What LLaMA-Factory made of a row, by its sides; one that is no pair has the side `row`. */
type Sides = Record<'row' | 'chosen' | 'rejected', LearnedText> & { label: boolean }

const stages = {
  sft: { stage: 'sft', settings: {} },
  experts: { stage: 'sft', settings: {} },
  exploration: { stage: 'sft', settings: { mask_history: true } },
  'step-preference': { stage: 'rm', settings: {} },
  unpaired: { stage: 'kto', settings: {} },
} as const

type Readable = keyof typeof stages
const kinds = Object.keys(stages) as Readable[]
let read: Sides[][] = []
const rowsOf = (kind: Readable) => read[kinds.indexOf(kind)] ?? []

beforeAll(async () => {
  const jobs = kinds.map(async (kind) => {
    const folder = folderOf(kind, 'llama-factory')
    const info = JSON.parse(await readFile(join(folder, 'dataset_info.json'), 'utf8')) as object
    // What the tokenizer is trained on.
    await writeFile(join(folder, 'text.txt'), JSON.stringify(await canonicalRows(kind)))
    return { folder, dataset: Object.keys(info).join(), ...stages[kind] }
  })
  read = await runPython('read_with_llama_factory.py', await Promise.all(jobs), inject('readers'))
})

/** Its template ends an answer with a new line, which it learns too. */
const withLine = (learned: string[]) => learned.map((part) => `${part}\n`)

describe('LLaMA-Factory’s loader', () => {
  test.each(['sft', 'exploration'] as const)('learns of %s what the weights say', async (kind) => {
    const rows = await conversations(kind)
    expect(rowsOf(kind).map(({ row }) => row)).toEqual(
      rows.map((row) => ({ text: chatml(row.messages), learned: withLine(learnedBy(row)) })),
    )
  })

  test('learns the acknowledgement of imported experts along', async () => {
    const rows = await conversations('experts')
    expect(rowsOf('experts').map(({ row }) => row.learned)).toEqual(
      rows.map((row) => withLine(learnedWithoutWeights(row))),
    )
  })

  test('ranks the two answers of a step, and learns nothing of what stands before', async () => {
    const rows = await canonicalRows('step-preference')
    const learnedText = (prompt: unknown, side: unknown) => ({
      text: chatml(prompt) + chatml(side),
      learned: [chatml(side).slice('<|im_start|>assistant\n'.length)],
    })
    expect(rowsOf('step-preference')).toEqual(
      rows.map(({ prompt, chosen, rejected }) => ({
        chosen: learnedText(prompt, chosen),
        rejected: learnedText(prompt, rejected),
      })),
    )
  })

  test('has the label of every unpaired answer', async () => {
    const rows = await canonicalRows('unpaired')
    expect(rowsOf('unpaired').map(({ row, label }) => ({ text: row.text, label }))).toEqual(
      rows.map(({ prompt, completion, label }) => ({ text: chatml(prompt) + chatml(completion), label })),
    )
  })
})
