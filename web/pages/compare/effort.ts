import { formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { BudgetKind } from '../../../shared/core/contracts/curve.ts'
import type { ComparedRun, Estimate } from '../../../shared/core/contracts/report.ts'
import { formatAmount } from './format-figures.ts'

type EffortFigures = Pick<ComparedRun, 'mean_model_calls' | 'mean_tokens' | 'mean_cost'>

interface Effort {
  name: string
  axis: string
  of: (figures: EffortFigures) => Estimate
  format: (value: number) => string
}

export const efforts: Record<BudgetKind, Effort> = {
  calls: {
    name: 'Model calls',
    axis: 'model calls of an episode',
    of: ({ mean_model_calls }) => mean_model_calls,
    format: formatAmount,
  },
  tokens: {
    name: 'Tokens',
    axis: 'tokens of an episode',
    of: ({ mean_tokens }) => mean_tokens,
    format: formatAmount,
  },
  cost: {
    name: 'Cost',
    axis: 'cost of an episode',
    of: ({ mean_cost }) => mean_cost,
    format: (value) => (value < 0 ? `-${formatMoney(-value)}` : formatMoney(value)),
  },
}
