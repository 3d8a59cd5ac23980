import type { DatasetRow, RowOf } from '../../../core/contracts/dataset-row.ts'
import type { Message } from '../../../core/contracts/message.ts'

export function findMaskFault(row: DatasetRow): string | null {
  switch (row.type) {
    case 'conversation':
      return weightFault(row)
    case 'preference':
      return (
        promptFault(row.prompt) ??
        sideFault('chosen', row.chosen) ??
        sideFault('rejected', row.rejected) ??
        (areEqual(row.chosen, row.rejected) ? 'both sides are equal' : null)
      )
    case 'unpaired':
      return promptFault(row.prompt) ?? sideFault('completion', row.completion)
    case 'process':
      return promptFault(row.prompt) ?? lengthFault(row)
    case 'prompt':
      return promptFault(row.prompt)
    case 'rollout':
      return rolloutFault(row)
    case 'rollout-tree':
      return row.segments.some(({ learned }) => learned) ? null : 'no token is the agent’s'
  }
}

function weightFault({ messages }: RowOf<'conversation'>): string | null {
  let learned = 0
  for (const [index, { role, weight }] of messages.entries()) {
    if (role === 'assistant') {
      if (weight === undefined) return `turn ${index} does not say whether it is learned`
      learned += weight
    } else if (weight !== undefined) return `turn ${index} has a weight and is not the model’s`
  }
  if (learned === 0) return 'no turn is learned'
  return messages.at(-1)?.role === 'assistant' ? null : 'it does not end on the model'
}

function promptFault(prompt: readonly Message[]): string | null {
  const last = prompt.at(-1)
  return last === undefined || last.role === 'assistant'
    ? 'the prompt does not end before the model’s turn'
    : null
}

function sideFault(name: string, side: readonly Message[]): string | null {
  const isWhole = side.at(0)?.role === 'assistant' && side.at(-1)?.role === 'assistant'
  return isWhole ? null : `${name} does not begin and end on the model`
}

function areEqual(left: readonly Message[], right: readonly Message[]): boolean {
  return left.length === right.length && left.every((message, index) => isSame(message, right[index]))
}

function isSame({ role, content, pictures = [] }: Message, other: Message | undefined): boolean {
  const others = other?.pictures ?? []
  return (
    role === other?.role &&
    content === other.content &&
    pictures.length === others.length &&
    pictures.every(({ sha256 }, index) => sha256 === others[index]?.sha256)
  )
}

function rolloutFault({
  advantages,
  completion_ids: ids,
  completion_mask: mask,
  logprobs,
}: RowOf<'rollout'>) {
  const lengths = [mask, logprobs, advantages ?? ids].map(({ length }) => length)
  if (lengths.some((length) => length !== ids.length)) return 'its lists about tokens differ in length'
  return mask.includes(1) ? null : 'no token is the agent’s'
}

function lengthFault({ completions, labels, values }: RowOf<'process'>): string | null {
  if (completions.length === 0) return 'no step is learned'
  const isEven = completions.length === labels.length && completions.length === values.length
  if (!isEven) return 'there is not one label and one value for every step'
  return values.every(Number.isFinite) ? null : 'a value is not a number'
}
