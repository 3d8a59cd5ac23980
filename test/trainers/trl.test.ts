import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Message } from '../../shared/core/contracts/message.ts'
import type { DatasetSet } from './build-folders.ts'
import {
  canonicalRows,
  chatml,
  conversations,
  folderOf,
  learnedBy,
  learnedWithoutWeights,
} from './canonical-rows.ts'
import { runPython } from './run-python.ts'

/** What a trainer made of its dataset, and the loss of both steps. */
interface Trained<Row> {
  rows: Row[]
  losses: number[]
}

interface Jobs {
  sft: Trained<{ text: string; learned: string[] }>
  dpo: Trained<{ prompt: string; chosen: string; rejected: string }>
  kto: Trained<{ prompt: string; completion: string; label: boolean }>
}

const partly = { completion_only_loss: true, assistant_only_loss: true }

/** As the README of each dataset tells its users to. */
const settings = {
  sft: { trainer: 'sft', settings: { assistant_only_loss: true, max_length: null } },
  experts: { trainer: 'sft', settings: { assistant_only_loss: true, max_length: null } },
  revision: { trainer: 'sft', settings: { ...partly, max_length: null } },
  exploration: { trainer: 'sft', settings: { ...partly, max_length: null } },
  preference: { trainer: 'dpo', settings: { max_length: null } },
  'step-preference': { trainer: 'dpo', settings: { max_length: null } },
  unpaired: { trainer: 'kto', settings: { max_length: null } },
} as const

type Trainable = keyof typeof settings
const trained = new Map<string, Trained<unknown>>()
const of = <Trainer extends keyof Jobs>(kind: DatasetSet) => trained.get(kind) as Jobs[Trainer]

beforeAll(async () => {
  const kinds = Object.keys(settings) as Trainable[]
  const jobs = kinds.map((kind) => ({ folder: folderOf(kind, 'trl'), ...settings[kind] }))
  const results = await runPython<Trained<unknown>>('train_with_trl.py', jobs)
  for (const [index, kind] of kinds.entries()) trained.set(kind, results[index] as Trained<unknown>)
})

test.each(Object.keys(settings) as Trainable[])('%s: two optimisation steps', (kind) => {
  const { losses } = of<'sft'>(kind)
  expect(losses).toHaveLength(2)
  expect(losses.every((loss) => Number.isFinite(loss) && loss > 0)).toBe(true)
})

describe('SFTTrainer', () => {
  test.each(['sft', 'revision', 'exploration'] as const)(
    'learns of %s what the weights say, token by token',
    async (kind) => {
      const rows = await conversations(kind)
      const expected = rows.map((row) => ({ text: chatml(row.messages), learned: learnedBy(row) }))
      expect(of<'sft'>(kind).rows).toEqual(expected)
    },
  )

  test('learns the acknowledgement of imported experts along, and nothing else that they do not', async () => {
    const rows = await conversations('experts')
    expect(rows.every((row) => learnedWithoutWeights(row).length === learnedBy(row).length + 1)).toBe(true)
    const expected = rows.map((row) => ({ text: chatml(row.messages), learned: learnedWithoutWeights(row) }))
    expect(of<'sft'>('experts').rows).toEqual(expected)
  })

  test('sees rows that learn a part of the model’s turns, or the tests above would show little', async () => {
    const rows = await conversations('revision')
    expect(rows.some(({ messages }) => messages.filter(({ weight }) => weight === 0).length > 1)).toBe(true)
    expect(rows.some((row) => learnedBy(row).length > 1)).toBe(true)
  })
})

const opening = '<|im_start|>assistant\n'

test.each(['preference', 'step-preference'] as const)(
  'DPOTrainer has the prompt and both sides of %s',
  async (kind) => {
    const rows = await canonicalRows(kind)
    expect(of<'dpo'>(kind).rows).toEqual(
      rows.map(({ prompt, chosen, rejected }) => ({
        prompt: chatml(prompt) + opening,
        chosen: chatml(chosen).slice(opening.length),
        rejected: chatml(rejected).slice(opening.length),
      })),
    )
  },
)

test('KTOTrainer has the prompt, the completion and the label of unpaired rows', async () => {
  const rows = await canonicalRows('unpaired')
  const seen = of<'kto'>('unpaired').rows
  expect(seen).toEqual(
    rows.map(({ prompt, completion, label }) => ({
      prompt: chatml(prompt) + opening,
      completion: chatml(completion).slice(opening.length),
      label,
    })),
  )
  expect(new Set(seen.map(({ label }) => label)).size).toBe(2)
})

test('PRMTrainer labels the end of each step, and trains two steps', async () => {
  const rows = (await canonicalRows('process-reward')) as {
    prompt: Message[]
    completions: string[]
    labels: boolean[]
  }[]
  const jobs = [{ folder: folderOf('process-reward', 'trl') }]
  const [result] = await runPython<Trained<{ texts: string[]; labels: number[] }>>(
    'train_prm.py',
    jobs,
    inject('prm'),
  )
  expect(result?.losses.map(Number.isFinite)).toEqual([true, true])
  expect(result?.rows).toEqual(
    rows.map(({ prompt, completions, labels }) => {
      const start = prompt.map(({ content }) => `${content}\n\n`).join('')
      return {
        texts: completions.map((_, index) => `${start}${completions.slice(0, index + 1).join('\n')}\n`),
        labels: labels.map(Number),
      }
    }),
  )
})
