import { formatCount, formatMoney, formatNumber, noNumber } from '../shared/core/client/format-quantity.ts'
import type { Figure, RunEstimate } from '../shared/core/contracts/estimate.ts'
import { wrap } from './fit-text.ts'
import { formatTable } from './format-table.ts'

const right = 'right' as const
const meetings: Record<RunEstimate['limits'][number]['binds'], string> = {
  expected: 'will be met',
  possible: 'may be met',
  no: 'will not be met',
  unknown: 'cannot be foreseen',
}

export function formatRunEstimate(estimate: RunEstimate, width: number): string[] {
  const { learning_episodes, per_episode, basis } = estimate
  const row = (
    name: string,
    { expected, at_most }: Figure,
    each: Figure | null,
    show: (value: number) => string = formatCount,
  ) => [
    name,
    show(expected),
    show(at_most),
    each === null ? noNumber : show(each.expected),
    each === null ? noNumber : show(each.at_most),
  ]
  const table = formatTable(
    [
      { header: '' },
      { header: 'expected', align: right },
      { header: 'at most', align: right },
      { header: 'an episode', align: right },
      { header: 'at most', align: right },
    ],
    [
      row('episodes', estimate.episodes, null),
      ...(learning_episodes > 0
        ? [['that learn', String(learning_episodes), String(learning_episodes), noNumber, noNumber]]
        : []),
      row('model calls', estimate.model_calls, per_episode.model_calls),
      row('tokens in', estimate.input_tokens, per_episode.input_tokens),
      row('tokens out', estimate.output_tokens, per_episode.output_tokens),
      estimate.cost === null
        ? ['cost', 'no price', 'no price', 'no price', 'no price']
        : row('cost', estimate.cost, per_episode.cost, formatMoney),
      row('host hours', estimate.host_hours, null, formatNumber),
    ],
    width,
  )
  const limits = estimate.limits.map(({ param, value, binds }) => `${param} ${value}: ${meetings[binds]}`)
  const words = [
    ['calls', basis.model_calls],
    ['tokens in', basis.input_tokens],
    ['tokens out', basis.output_tokens],
    ['cost', basis.cost],
    ['hosts', basis.host_hours],
  ].flatMap(([name = '', text = '']) =>
    wrap(text, width - 12).map((line, at) => (at === 0 ? name : '').padEnd(12) + line),
  )
  return [...table, ...(limits.length === 0 ? [] : ['', ...limits]), '', ...words]
}
