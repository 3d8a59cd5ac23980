import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DatasetRow } from '../../../shared/core/contracts/dataset-row.ts'
import { canonicalJson } from '../../../shared/data/datasets/canonical-json.ts'
import { findMaskFault } from '../../../shared/data/datasets/gates/find-mask-fault.ts'
import { inspectRow, promptDigest } from '../../../shared/data/datasets/inspect-row.ts'
import { openTokenizer } from '../../../shared/data/datasets/tokens/open-tokenizer.ts'

const head = [
  { role: 'system' as const, content: 'Rules.' },
  { role: 'user' as const, content: 'Craft a  stick.\n' },
]
const said = (content: string) => ({ role: 'assistant' as const, content })
const shown = (content: string) => ({ role: 'user' as const, content })
const learned: DatasetRow = {
  type: 'conversation',
  messages: [...head, { ...said('Action: go'), weight: 1 }],
}
const pair: DatasetRow = { type: 'preference', prompt: head, chosen: [said('good')], rejected: [said('bad')] }
const steps: DatasetRow = {
  type: 'process',
  prompt: head,
  completions: ['one', 'two'],
  labels: [true, false],
  values: [1, 0.25],
}

test('equal rows have equal digests, in whatever order their members were written', async () => {
  const tokenizer = await openTokenizer('estimate')
  const other: DatasetRow = { messages: learned.messages.map(turned), type: 'conversation' }
  expect(inspectRow(other, head, tokenizer)).toEqual(inspectRow(learned, head, tokenizer))
  const unlearned = { ...learned, messages: [...head, { ...said('Action: go'), weight: 0 as const }] }
  expect(inspectRow(unlearned, head, tokenizer).sha256).not.toBe(inspectRow(learned, head, tokenizer).sha256)
})

function turned<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).toReversed()) as Value
}

test('canonical JSON is the same value, and the same text whatever the order of members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(turnedWhole(value))).toBe(canonicalJson(value))
    }),
  )
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"d":2,"c":3}}'))).toBe(
    '{"__proto__":{"c":3,"d":2},"b":1}',
  )
  const message = { role: 'user', content: { b: 1, a: [2] }, weight: 1 }
  expect(canonicalJson([message, { role: 'user', content: '' }, { ...message, name: 'x' }])).toBe(
    '[{"content":{"a":[2],"b":1},"role":"user","weight":1},{"content":"","role":"user"},{"content":{"a":[2],"b":1},"name":"x","role":"user","weight":1}]',
  )
})

function turnedWhole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedWhole)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, turnedWhole(each)])
      .toReversed(),
  )
}

test('prompts are compared by what the task says: neither by the rules nor by white space', () => {
  const digest = promptDigest(head)
  expect(digest).toMatch(/^[0-9a-f]{32}$/)
  expect(promptDigest([shown('Craft a stick.')])).toBe(digest)
  expect(promptDigest([shown('Craft a torch.')])).not.toBe(digest)
  expect(promptDigest([shown('Rules.'), said('OK'), shown('Craft a stick.')])).not.toBe(digest)
})

test('a task that is only in the system text is compared by that', () => {
  const system = (content: string) => [{ role: 'system' as const, content }]
  expect(promptDigest(system('Craft a stick.'))).not.toBe(promptDigest(system('Craft a torch.')))
})

test('a turn of white space is found in every sort of row', async () => {
  const tokenizer = await openTokenizer('estimate')
  const blank: DatasetRow[] = [
    { type: 'conversation', messages: [...head, { ...said(' \n'), weight: 1 }] },
    { type: 'preference', prompt: head, chosen: [said('good')], rejected: [said('')] },
    { type: 'unpaired', prompt: [shown('\t')], completion: [said('good')], label: true },
    { ...steps, completions: ['one', ' '] },
    { ...pair, chosen: [said('<think>Action: go')] },
    { ...steps, completions: ['one', '<think>two</think>\n'] },
    { type: 'prompt', prompt: [shown('')], reference: {} },
  ]
  for (const row of blank) expect(inspectRow(row, head, tokenizer).empty_turn).toBe(true)
  for (const row of [learned, pair, steps]) expect(inspectRow(row, head, tokenizer).empty_turn).toBe(false)
})

test('the tokens of a pair are those of its longer side, and of a path those of all its steps', async () => {
  const tokenizer = await openTokenizer('estimate')
  const tokens = (row: DatasetRow) => inspectRow(row, head, tokenizer).tokens
  const longer = { ...pair, rejected: [said('bad'.repeat(10)), shown('no'), said('bad')] }
  expect(tokens(longer)).toBe(tokens({ ...learned, messages: [...head, ...longer.rejected] }))
  expect(tokens(steps)).toBe(tokens({ type: 'prompt', prompt: head, reference: {} }) + 2)
})

test.each<[string, DatasetRow]>([
  ['no turn is learned', { type: 'conversation', messages: [...head, { ...said('a'), weight: 0 }] }],
  [
    'turn 1 has a weight',
    {
      type: 'conversation',
      messages: [
        { ...said('a'), weight: 1 },
        { ...shown('b'), weight: 1 },
      ],
    },
  ],
  ['turn 2 does not say', { type: 'conversation', messages: [...head, said('a')] }],
  [
    'does not end on the model',
    { type: 'conversation', messages: [...head, { ...said('a'), weight: 1 }, shown('b')] },
  ],
  ['both sides are equal', { ...pair, rejected: [said('good')] } as DatasetRow],
  ['chosen does not begin', { ...pair, chosen: [shown('b'), said('a')] } as DatasetRow],
  ['rejected does not begin and end', { ...pair, rejected: [said('a'), shown('b')] } as DatasetRow],
  ['the prompt does not end', { ...pair, prompt: [...head, said('a')] } as DatasetRow],
  ['completion does not', { type: 'unpaired', prompt: head, completion: [shown('b')], label: true }],
  ['one label and one value', { ...steps, labels: [true] } as DatasetRow],
  ['one label and one value', { ...steps, values: [1, 0, 1] } as DatasetRow],
  ['not a number', { ...steps, values: [1, Number.NaN] } as DatasetRow],
  ['the prompt does not end', { type: 'prompt', prompt: [said('a')], reference: {} }],
])('a wrong loss mask is described: %s', (fault, row) => {
  expect(findMaskFault(row)).toContain(fault)
})

test('a right loss mask is no fault', () => {
  const prompt: DatasetRow = { type: 'prompt', prompt: head, reference: {} }
  const unpaired: DatasetRow = { type: 'unpaired', prompt: head, completion: [said('a')], label: false }
  for (const row of [learned, pair, steps, prompt, unpaired]) expect(findMaskFault(row)).toBeNull()
})
