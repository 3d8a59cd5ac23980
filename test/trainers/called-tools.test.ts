import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Message } from '../../shared/core/contracts/message.ts'
import { splitCall } from '../../shared/data/formats/structured-turns.ts'
import { canonicalRows, conversations, folderOf } from './canonical-rows.ts'
import { runPython } from './run-python.ts'

interface Trained {
  rows: { text: string; learned: string[]; chosen: string; rejected: string }[]
  losses: number[]
}

interface NamedCall {
  name: string
  arguments: object
}

/** The call in a text, as the tests' template and Qwen's write it. */
function callIn(text: string): NamedCall | null {
  const [, json] = /<tool_call>\s*(\{[\s\S]*\})\s*<\/tool_call>/.exec(text) ?? []
  return json === undefined ? null : (JSON.parse(json) as NamedCall)
}

function callOf(content: string): NamedCall | null {
  const split = splitCall(content)
  return split && { name: split.name, arguments: split.arguments }
}

async function learnedCalls(): Promise<(NamedCall | null)[][]> {
  const rows = await conversations('called-sft')
  return rows.map(({ messages }) =>
    messages.filter(({ weight }) => weight === 1).map(({ content }) => callOf(content)),
  )
}

test('TRL’s trainers learn and compare every call, and see the tools before them', async () => {
  const jobs = [
    {
      folder: folderOf('called-sft', 'trl'),
      trainer: 'sft',
      settings: { assistant_only_loss: true, max_length: null },
    },
    { folder: folderOf('called-step-preference', 'trl'), trainer: 'dpo', settings: { max_length: null } },
  ]
  const [supervised, compared] = (await runPython<Trained>('train_with_trl.py', jobs)) as [Trained, Trained]
  for (const { losses } of [supervised, compared]) {
    expect(losses).toHaveLength(2)
    expect(losses.every((loss) => Number.isFinite(loss) && loss > 0)).toBe(true)
  }
  const expected = await learnedCalls()
  expect(expected.flat().filter((call) => call !== null).length).toBeGreaterThan(expected.length)
  expect(supervised.rows.map(({ learned }) => learned.map(callIn))).toEqual(expected)
  const rows = await conversations('called-sft')
  for (const [index, { text }] of supervised.rows.entries()) {
    const [, tools = '[]'] = /^<\|im_start\|>tools\n(.*?)<\|im_end\|>/.exec(text) ?? []
    const named = (JSON.parse(tools) as { function: { name: string } }[]).map((tool) => tool.function.name)
    expect(named).toEqual(rows[index]?.tools?.map(({ name }) => name))
  }
  const pairs = (await canonicalRows('called-step-preference')) as Record<string, Message[]>[]
  expect(compared.rows.map(({ chosen, rejected }) => [callIn(chosen), callIn(rejected)])).toEqual(
    pairs.map(({ chosen, rejected }) => [chosen, rejected].map((side) => callOf(side?.[0]?.content ?? ''))),
  )
})

test('LLaMA-Factory words calls, results and tools by the model’s template, and learns the calls', async () => {
  const folder = folderOf('called-sft', 'llama-factory')
  const info = JSON.parse(await readFile(join(folder, 'dataset_info.json'), 'utf8')) as object
  const rows = await conversations('called-sft')
  // The tokenizer is trained on it.
  await writeFile(join(folder, 'text.txt'), JSON.stringify(rows))
  const dataset = Object.keys(info).join()
  const job = { folder, dataset, stage: 'sft', settings: {}, template: 'qwen', cutoff_len: 32_768 }
  const [read = []] = await runPython<{ row: { text: string; learned: string[] } }[]>(
    'read_with_llama_factory.py',
    [job],
    inject('readers'),
  )
  expect(read.map(({ row }) => row.learned.map(callIn))).toEqual(await learnedCalls())
  for (const [index, { row }] of read.entries()) {
    for (const { name } of rows[index]?.tools ?? []) expect(row.text).toContain(`"name": "${name}"`)
    expect(row.text).toContain('<tool_response>')
  }
})
