import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { DatasetProgress } from '../../components/dataset-progress.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { runAddress } from '../../format/addresses.ts'
import { asksSimulated } from '../../format/asks-simulated.ts'
import { isBuilding } from '../../format/describe-progress.ts'
import { showControls } from '../../format/show-controls.ts'
import { useEndpoints } from '../../service/catalogue.ts'
import { countEnded } from '../../service/follow-run.ts'
import { runQuery } from '../../service/run-query.ts'
import styles from './dataset-page.module.css'

export function BuildSection({ dataset }: { dataset: Dataset }) {
  const { annotation_run, error, status } = dataset
  return (
    <Section title="Build">
      <div className={styles.build}>
        {isBuilding(dataset) && <DatasetProgress dataset={dataset} />}
        {error !== null && (
          <Notice tone={status === 'failed' ? 'bad' : 'warn'}>
            <p dir="auto">
              {status === 'failed' ? 'It failed. ' : ''}
              <InlineCode text={error} />
            </p>
          </Notice>
        )}
        {annotation_run !== null && <Asking run={annotation_run} dataset={dataset} />}
      </div>
    </Section>
  )
}

function Asking({ run: id, dataset }: { run: string; dataset: Dataset }) {
  const run = useQuery({
    ...runQuery(id),
    refetchInterval: isBuilding(dataset) ? 2000 : false,
  })
  const endpoints = useEndpoints().data ?? []
  return (
    <Loaded what="the run that asks a model" query={run}>
      {({ episodes, request, status, status_reason, usage }) => (
        <div className={styles.buildAsking}>
          <p>
            <StatusBadge status={workWord(status)} /> <Link to={runAddress(id)}>{id}</Link> asks{' '}
            <bdi>{showControls(`${request.model.endpoint}/${request.model.id}`)}</bdi> for it:{' '}
            {formatCount(usage.model_calls)} calls, {formatMoney(usage.cost)},{' '}
            {formatCount(countEnded(episodes))} of {formatCount(episodes.total)} episodes.
            {asksSimulated({ request }, endpoints) &&
              ' What the simulated model answers proves plumbing, not quality.'}
          </p>
          {status === 'paused' && (
            <Notice tone="warn">
              <p>
                The build waits for it. {status_reason !== null && showControls(status_reason)} Resume it on{' '}
                <Link to={runAddress(id)}>its page</Link>, with a higher limit where it reached one; the build
                then continues.
              </p>
            </Notice>
          )}
        </div>
      )}
    </Loaded>
  )
}
