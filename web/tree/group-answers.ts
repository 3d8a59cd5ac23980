import type { ModelCall } from '../../shared/contracts/node-detail.ts'

type Ending = ModelCall['endings'][number]

/** An answer of a model, how often it came in one call, and how: mostly one ending for all. */
interface GroupedAnswer {
  text: string
  count: number
  endings: Ending[]
}

/** Equal answers once, in the order in which they came; the one that was acted on first. */
export function groupAnswers(
  { answers, endings }: Pick<ModelCall, 'answers' | 'endings'>,
  taken: string | null,
): GroupedAnswer[] {
  const groups = new Map<string, GroupedAnswer>()
  for (const [place, text] of answers.entries()) {
    const group = groups.get(text) ?? { text, count: 0, endings: [] }
    groups.set(text, group)
    group.count += 1
    const ending = endings[place]
    const isNew = group.endings.every((known) => known.finish_reason !== ending?.finish_reason)
    if (ending && isNew) group.endings.push(ending)
  }
  return [...groups.values()].sort(
    (left, right) => Number(right.text === taken) - Number(left.text === taken),
  )
}
