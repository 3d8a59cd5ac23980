import { Link } from 'react-router'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import type { Figure, RunEstimate } from '../../../shared/core/contracts/estimate.ts'
import { Column } from '../../components/column.tsx'
import { Unanswered } from '../../components/form/unanswered.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { Section } from '../../components/section.tsx'
import { runAddress } from '../../format/addresses.ts'
import styles from './new-run-page.module.css'

const bindings: Record<RunEstimate['limits'][number]['binds'], string> = {
  expected: 'will be reached',
  possible: 'may be reached',
  no: 'will not be reached',
  unknown: 'cannot be foreseen',
}

export function EstimatePanel({
  estimate,
  error,
  isOld,
  isComplete,
  onRetry,
}: {
  estimate: RunEstimate | undefined
  error: unknown
  isOld: boolean
  isComplete: boolean
  onRetry: () => void
}) {
  return (
    <Section title="What it would take" aside={isOld && isComplete ? 'estimating …' : null}>
      <div className={styles.estimatePanel} aria-busy={isOld}>
        {!isComplete ? (
          <p className="soft">Choose an environment, a method and a model.</p>
        ) : error !== null ? (
          <Unanswered error={error} onRetry={onRetry} />
        ) : estimate === undefined ? (
          <p className="soft">Estimating …</p>
        ) : (
          <Figures estimate={estimate} />
        )}
      </div>
    </Section>
  )
}

function Figures({ estimate }: { estimate: RunEstimate }) {
  const { cost, episodes, host_hours, input_tokens, learning_episodes, limits, model_calls, output_tokens } =
    estimate
  return (
    <>
      <table className={styles.estimateTable}>
        <thead>
          <tr>
            <td />
            <Column isNumber>expected</Column>
            <Column isNumber>at most</Column>
          </tr>
        </thead>
        <tbody>
          <Row name="Episodes" figure={episodes} />
          {learning_episodes > 0 && (
            <Row
              name="of them to learn"
              figure={{ expected: learning_episodes, at_most: learning_episodes }}
            />
          )}
          <Row name="Model calls" figure={model_calls} />
          <Row name="Tokens in" figure={input_tokens} />
          <Row name="Tokens out" figure={output_tokens} />
          <Row name="Cost" figure={cost} show={formatMoney} />
          <Row name="Host hours" figure={host_hours} show={formatNumber} />
        </tbody>
      </table>
      {cost === null && <p className="soft">The endpoint states no price: limit tokens to bound the run.</p>}
      {limits.length > 0 && (
        <ul className={styles.estimateLimits}>
          {limits.map(({ binds, param, value }) => (
            <li key={param} data-binds={binds}>
              <code>{param}</code> {value} {bindings[binds]}
            </li>
          ))}
        </ul>
      )}
      <Basis basis={estimate.basis} />
    </>
  )
}

function Row({
  name,
  figure,
  show = formatCount,
}: {
  name: string
  figure: Figure | null
  show?: (value: number) => string
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{figure === null ? noNumber : show(figure.expected)}</td>
      <td className="number">{figure === null ? noNumber : show(figure.at_most)}</td>
    </tr>
  )
}

function Basis({ basis }: Pick<RunEstimate, 'basis'>) {
  const { episodes, from, runs } = basis
  const words: [string, string][] = [
    ['Calls', basis.model_calls],
    ['Tokens in', basis.input_tokens],
    ['Tokens out', basis.output_tokens],
    ['Cost', basis.cost],
    ['Hosts', basis.host_hours],
  ]
  return (
    <details className={styles.estimateBasis}>
      <summary>
        {from === 'earlier_runs'
          ? `Estimated from ${formatCount(episodes)} episodes of earlier runs`
          : 'Estimated from how the method works'}
      </summary>
      <dl>
        {words.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <InlineCode text={text} />
            </dd>
          </div>
        ))}
        {runs.length > 0 && (
          <div>
            <dt>Runs</dt>
            <dd>
              {runs.map((run) => (
                <Link key={run} to={runAddress(run)} className={styles.estimateRun}>
                  {run}
                </Link>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </details>
  )
}
