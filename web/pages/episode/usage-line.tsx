import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { Usage } from '../../../shared/core/contracts/usage.ts'
import { countOf } from '../../format/count-of.ts'
import styles from './model-call.module.css'

export function UsageLine({ usage }: { usage: Usage }) {
  const { model_calls, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost } = usage
  return (
    <p className={styles.usageLine}>
      {countOf(model_calls, 'call')} · {formatCount(input_tokens)} tokens in
      {cached_tokens !== undefined && ` (${formatCount(cached_tokens)} cached)`} ·{' '}
      {formatCount(output_tokens)} out
      {reasoning_tokens !== undefined && ` (${formatCount(reasoning_tokens)} reasoning)`}
      {' · '}
      {formatMoney(cost)}
    </p>
  )
}
