import type { ModelCall } from '../../shared/core/contracts/node-detail.ts'

type Ending = ModelCall['endings'][number]

interface GroupedAnswer {
  text: string
  count: number
  endings: Ending[]
  thoughts: string[]
}

export function groupAnswers(
  { answers, endings }: Pick<ModelCall, 'answers' | 'endings'>,
  taken: string | null,
): GroupedAnswer[] {
  const groups = new Map<string, GroupedAnswer>()
  for (const [place, text] of answers.entries()) {
    const group = groups.get(text) ?? { text, count: 0, endings: [], thoughts: [] }
    groups.set(text, group)
    group.count += 1
    const ending = endings[place]
    const isNew = group.endings.every(
      (known) => known.finish_reason !== ending?.finish_reason || known.call_format !== ending?.call_format,
    )
    if (ending && isNew) group.endings.push(ending)
    if (ending?.thinking && !group.thoughts.includes(ending.thinking)) group.thoughts.push(ending.thinking)
  }
  return [...groups.values()].sort(
    (left, right) => Number(right.text === taken) - Number(left.text === taken),
  )
}
