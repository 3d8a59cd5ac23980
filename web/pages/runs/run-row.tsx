import { Link } from 'react-router'
import { formatCount, formatMoney, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord, workWord } from '../../../shared/core/client/status-words.ts'
import {
  annotatedDataset,
  asksAModel,
  judgedScore,
} from '../../../shared/core/contracts/annotated-dataset.ts'
import type { EnvironmentInfo, MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { provenanceNotice } from '../../../shared/core/contracts/provenance.ts'
import type { Estimate as EstimateFigures, SuccessRates } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Estimate } from '../../components/estimate.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { datasetAddress, runAddress } from '../../format/addresses.ts'
import { chosenParameters, describeParameters } from '../../format/chosen-parameters.ts'
import { describeTasks } from '../../format/describe-tasks.ts'
import { runName } from '../../format/run-name.ts'
import { showControls } from '../../format/show-controls.ts'
import { countEnded, hasEnded } from '../../service/follow-run.ts'
import { hasScored } from './run-columns.ts'
import styles from './runs-page.module.css'
import { fieldsOf } from './shown-fields.ts'

interface RowFacts {
  method: MethodInfo | undefined
  environment: EnvironmentInfo | undefined
  isSimulated: boolean
  rate: SuccessRates['rates'][number] | undefined
  isRateLost: boolean
}

export function RunRow({
  run,
  facts,
  shown,
  hidden = new Set(),
  isChosen,
  onChoose,
}: {
  run: Run
  facts: RowFacts
  shown: readonly string[]
  hidden?: ReadonlySet<string>
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}) {
  const { id, request, status, status_reason: reason } = run
  const name = runName(run)
  const isPlayed = !asksAModel(run)
  const { id: method, ...given } = request.method
  const parameters = isPlayed
    ? describeParameters(chosenParameters(given as JsonObject, facts.method, facts.environment))
    : ''
  return (
    <tr className={styles.runRow}>
      <td>
        <input
          type="checkbox"
          className={styles.runChoice}
          aria-label={`Choose ${name} for a comparison`}
          checked={isChosen}
          disabled={!isPlayed}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </td>
      <td className={styles.runName}>
        <Link
          to={runAddress(id)}
          dir="auto"
          title={name}
          className={request.name ? styles.runTitle : 'identifier'}
        >
          {name}
        </Link>
        {request.name && <div className="identifier">{id}</div>}
        <RunLabels run={run} />
        <ShownFields fields={fieldsOf(run, shown)} />
      </td>
      {!hidden.has('status') && (
        <td className={styles.runStatus}>
          <StatusBadge status={workWord(status)} />
          {reason !== null && (
            <div className={styles.runSoft} title={showControls(reason)} dir="auto">
              {showControls(reason.split(/[:.] /)[0] ?? reason)}
            </div>
          )}
        </td>
      )}
      {!hidden.has('episodes') && <Progress run={run} name={name} />}
      {!hidden.has('success') && (
        <td className={`number ${styles.runSuccess}`}>
          {isPlayed ? <Success run={run} facts={facts} /> : noNumber}
        </td>
      )}
      {!hidden.has('environment') && (
        <td className={styles.runEnvironment}>
          {showControls(request.environment)}
          <div className={styles.runSoft} dir="auto">
            {isPlayed ? showControls(describeTasks(request.tasks)) : 'episodes of other runs'}
          </div>
          {isPlayed && (
            <div className={styles.runSoft} title={provenanceNotice(run.provenance)}>
              data: {run.provenance.origin}
            </div>
          )}
        </td>
      )}
      {!hidden.has('method') && (
        <td className={styles.runMethod}>
          {showControls(method)}
          {isPlayed ? (
            <div className={styles.runSoft} title={showControls(parameters)} dir="auto">
              {showControls(parameters)}
            </div>
          ) : (
            <div className={styles.runSoft}>
              asks a model for <AskedFor run={run} />
            </div>
          )}
        </td>
      )}
      {!hidden.has('model') && (
        <td className={styles.runModel}>
          <span dir="auto">{showControls(request.model.id)}</span>
          <div className={styles.runSoft}>
            {facts.isSimulated ? (
              <span title="Numbers of the simulated model prove plumbing, not quality.">simulated model</span>
            ) : (
              <span dir="auto">at {showControls(request.model.endpoint)}</span>
            )}
          </div>
        </td>
      )}
      {!hidden.has('cost') && <Cost run={run} />}
      {!hidden.has('created') && (
        <td className={styles.runCreated}>
          <TimeAgo at={run.created_at} />
        </td>
      )}
    </tr>
  )
}

function RunLabels({ run: { archived_at, request } }: { run: Run }) {
  const words = [request.experiment, ...(request.tags ?? [])].filter((word) => word !== undefined)
  if (words.length === 0 && archived_at === undefined) return null
  return (
    <div className={styles.runSoft} dir="auto">
      {words.map(showControls).join(' · ')}
      {archived_at !== undefined && `${words.length > 0 ? ' · ' : ''}archived`}
    </div>
  )
}

function ShownFields({ fields }: { fields: readonly [string, string][] }) {
  if (fields.length === 0) return null
  const text = showControls(fields.map(([name, value]) => `${name} ${value}`).join(' · '))
  return (
    <div className={styles.runSoft} dir="auto" title={text}>
      {text}
    </div>
  )
}

function Progress({ run, name }: { run: Run; name: string }) {
  const { episodes } = run
  const { errored, total } = episodes
  const ended = countEnded(episodes)
  const text = `${formatCount(ended)} / ${formatCount(total)}`
  return (
    <td className={`number ${styles.runProgress}`}>
      {text}
      {!hasEnded(run) && (
        <ProgressBar
          label={`Episodes of ${name} that have ended`}
          share={ended / Math.max(1, total)}
          text={text}
        />
      )}
      {errored > 0 && (
        <div className={styles.runBad}>
          {formatCount(errored)} {episodeStatusWord('errored')}
        </div>
      )}
    </td>
  )
}

function Success({ run, facts: { isRateLost, rate } }: { run: Run; facts: RowFacts }) {
  if (rate === undefined && isRateLost && hasScored(run)) {
    return <span title="The success rate could not be loaded.">{noNumber}</span>
  }
  if (rate === undefined || rate.success_rate.mean === null) return noNumber
  return (
    <>
      <Estimate of={rate.success_rate} />
      <RateBar of={rate.success_rate} />
      {rate.of === 'share' && (
        <div
          className={styles.runSoft}
          title="Too many episodes to read for a list. The run’s report has the interval."
        >
          no interval here
        </div>
      )}
    </>
  )
}

function Cost({ run: { request, usage } }: { run: Run }) {
  const { cost: mostCost, tokens: mostTokens } = request.limits
  const tokens = formatCount(usage.input_tokens + usage.output_tokens)
  return (
    <td className={`number ${styles.runCost}`}>
      {usage.cost === null ? noNumber : formatMoney(usage.cost)}
      {mostCost !== undefined && <span className={styles.runSoft}> of {formatMoney(mostCost)}</span>}
      <div className={styles.runSoft}>
        {tokens}
        {mostTokens !== undefined && ` of ${formatCount(mostTokens)}`} tokens
      </div>
    </td>
  )
}

function AskedFor({ run }: { run: Run }) {
  const dataset = annotatedDataset(run)
  if (dataset !== null) return <Link to={datasetAddress(dataset)}>a dataset</Link>
  const judged = judgedScore(run)
  return judged === null ? null : <Link to={runAddress(judged.run)}>the score {judged.name}</Link>
}

/**
 * A success rate with its interval on a line from 0 to 1, to compare rows at a glance. It is hidden from screen
 * readers, because the numbers stand above it.
 */
function RateBar({ of: { ci, mean } }: { of: EstimateFigures }) {
  if (mean === null) return null
  const at = (share: number) => `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`
  return (
    <svg className={styles.rateBar} aria-hidden="true">
      <line className={styles.rateAxis} x1="0" x2="100%" y1="50%" y2="50%" />
      {ci && <line className={styles.rateInterval} x1={at(ci.lower)} x2={at(ci.upper)} y1="50%" y2="50%" />}
      <circle className={styles.rateMean} cx={at(mean)} cy="50%" r="3.5" />
    </svg>
  )
}
