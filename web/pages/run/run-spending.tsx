import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import { cacheHitRate } from '../../../shared/core/contracts/cache-hit-rate.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { Section } from '../../components/section.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import { projectedSpending, spentOf } from './run-caps.ts'
import styles from './run-page.module.css'

const measures = [
  { name: 'cost', label: 'Cost', format: formatMoney },
  { name: 'tokens', label: 'Tokens', format: formatCount },
  { name: 'time', label: 'Time', format: formatSeconds },
] as const

export function RunSpending({ run }: { run: Run }) {
  const { limits } = run.request
  const spent = spentOf(run)
  const projected = projectedSpending(run)
  const { cached_tokens, input_tokens, model_calls, output_tokens, reasoning_tokens } = run.usage
  return (
    <Section title="Spending">
      <dl className={styles.spendingMeasures}>
        {measures.map(({ name, label, format }) => {
          const used = spent[name]
          const cap = limits[name]
          const end = projected?.[name] ?? null
          return (
            <div key={name} className={styles.spendingMeasure}>
              <dt>{label}</dt>
              <dd className={styles.spendingNumber}>
                <b>{used === null ? 'no price' : format(used)}</b>
                <span className={styles.spendingCap}>
                  {cap === undefined ? 'no limit' : `of ${format(cap)}`}
                </span>
              </dd>
              {end !== null && end > 0 && (
                <dd className={styles.spendingAhead} data-over={cap !== undefined && end > cap}>
                  {cap !== undefined && end > cap
                    ? `reaches its limit: about ${format(end)} by the last episode`
                    : `about ${format(end)} by the last episode`}
                </dd>
              )}
              {cap !== undefined && used !== null && (
                <dd>
                  {end !== null && end > 0 && (
                    <span
                      className={styles.spendingProjection}
                      data-over={end > cap}
                      style={{ left: `${Math.min(100, (100 * end) / cap)}%` }}
                      aria-hidden
                    />
                  )}
                  <ProgressBar
                    label={`${label} against its limit`}
                    share={used / cap}
                    text={`${format(used)} of ${format(cap)}`}
                  />
                </dd>
              )}
            </div>
          )
        })}
      </dl>
      <p className={styles.spendingDetail}>
        {formatCount(model_calls)} calls, {formatCount(input_tokens)} tokens in
        {cached_tokens !== undefined &&
          ` (${formatCount(cached_tokens)} cached, ${Math.round(100 * (cacheHitRate(run.usage) ?? 0))} %)`}
        , {formatCount(output_tokens)} out
        {reasoning_tokens !== undefined && ` (${formatCount(reasoning_tokens)} reasoning)`}
        {run.lost_calls > 0 && (
          <span title="Paid calls whose answer was lost, for example because a process was killed: counted as spent">
            ; {formatCount(run.lost_calls)} lost
          </span>
        )}
        {run.bounds !== undefined && (
          <span title="Their answers were lost, and no log of the endpoint says what they took">
            ; {formatCount(run.bounds.model_calls)} calls and{' '}
            {run.bounds.cost === null
              ? `${formatCount(run.bounds.tokens)} tokens`
              : formatMoney(run.bounds.cost)}{' '}
            are upper bounds
          </span>
        )}
      </p>
    </Section>
  )
}
