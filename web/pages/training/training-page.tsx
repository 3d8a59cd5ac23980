import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { Training, TrainingPoint } from '../../../shared/core/contracts/training.ts'
import { MetricPlot, type MetricPoint } from '../../charts/metric-plot.tsx'
import { LinkButton } from '../../components/button.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import { MadeLine } from '../../components/header-line.tsx'
import { JsonText } from '../../components/json-text.tsx'
import { lineageOf } from '../../components/lineage/lineage-of.ts'
import { LineageSection } from '../../components/lineage/lineage-section.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { modelAddress } from '../../format/addresses.ts'
import { isTraining } from '../../format/describe-training.ts'
import { nameBase } from '../../format/name-base.ts'
import { requestAddress } from '../../format/request-address.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { keepOf } from '../../service/keep-of.ts'
import { CheckpointsSection } from './checkpoints-section.tsx'
import { ProgressSection } from './progress-section.tsx'
import { TrainedRowsSection } from './trained-rows-section.tsx'
import { TrainingActions } from './training-actions.tsx'
import styles from './training-page.module.css'

const way = [{ to: '/trainings', name: 'Trainings' }]

export function TrainingPage() {
  const { training: id = '' } = useParams()
  const training = useQuery({
    queryKey: ['training', id],
    queryFn: () => api.training(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isTraining(state.data) ? 1500 : false),
  })
  const found = training.data
  return (
    <>
      <PageHeader
        way={way}
        title={<span dir="auto">{showControls(found?.name ?? id)}</span>}
        tab={found?.name ?? 'Training'}
        lead={
          found && (
            <MadeLine of={found}>
              {found.request.recipe} by {found.request.trainer}
            </MadeLine>
          )
        }
        actions={
          found && (
            <LinkButton to={requestAddress('/trainings/new', found.request)}>
              Begin another like it
            </LinkButton>
          )
        }
      />
      <Loaded what="the training" query={training}>
        {(shown) => <Sections training={shown} />}
      </Loaded>
    </>
  )
}

function Sections({ training }: { training: Training }) {
  const { error, log_tail, status, warnings } = training
  return (
    <>
      <TrainingActions training={training} />
      {error !== null && (
        <Notice tone={status === 'failed' ? 'bad' : 'warn'} isSpaced>
          <span dir="auto">{showControls(error)}</span>
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn" isSpaced>
          {showControls(warning)}
        </Notice>
      ))}
      <ProgressSection training={training} />
      <MetricsSection training={training} />
      <TrainedRowsSection training={training} />
      <CheckpointsSection training={training} />
      <TrainingLineage training={training} />
      <RequestSection request={training.request} />
      {log_tail.length > 0 && (
        <Section title="The trainer’s last lines">
          <LongText label="The trainer’s last lines" text={log_tail.join('\n')} />
        </Section>
      )}
    </>
  )
}

function MetricsSection({ training }: { training: Training }) {
  const { id, metrics, status, usage } = training
  const points = useQuery({
    queryKey: ['training-metrics', id, metrics?.step ?? 0, usage.starts, status],
    queryFn: async () => (await api.trainingMetrics(id)).data,
    placeholderData: keepOf('training-metrics', id),
  })
  return (
    <Section title="Loss and accuracy">
      <Loaded what="the logged steps" query={points}>
        {(logged) =>
          logged.length === 0 ? (
            <p className="soft">No step has been logged yet.</p>
          ) : (
            <div className={styles.plots}>
              <MetricPlot label="Loss" yAxis="loss" points={pointsOf(logged, ({ loss }) => loss)} />
              <AccuracyPlot logged={logged} />
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}

function AccuracyPlot({ logged }: { logged: readonly TrainingPoint[] }) {
  const points = pointsOf(logged, ({ accuracy }) => accuracy)
  if (points.length === 0) return null
  return <MetricPlot label="Accuracy" yAxis="accuracy" points={points} place={1} />
}

function pointsOf(
  logged: readonly TrainingPoint[],
  of: (point: TrainingPoint) => number | null,
): MetricPoint[] {
  return logged.flatMap((point) => {
    const value = of(point)
    return value === null ? [] : [{ step: point.step, value }]
  })
}

function RequestSection({ request }: { request: Training['request'] }) {
  const { base, checkpoint_steps, hyperparameters, keep_checkpoints, lora, recipe, seed, trainer } = request
  return (
    <Section title="Settings">
      <DefinitionList>
        <Fact
          name="Base"
          value={
            'registered' in base ? (
              <Link to={modelAddress(base.registered)}>{base.registered}</Link>
            ) : (
              <span dir="auto">{showControls(nameBase(base))}</span>
            )
          }
        />
        <Fact name="Recipe" value={recipe} />
        <Fact name="Trainer" value={trainer} />
        <Fact
          name="Weights"
          value={lora === null ? 'all are trained' : `adapters of rank ${lora.rank}, alpha ${lora.alpha}`}
        />
        <Fact name="Seed" value={seed} />
        <Fact
          name="Checkpoint every"
          value={checkpoint_steps === undefined ? 'a tenth of all steps' : `${checkpoint_steps} steps`}
        />
        <Fact name="Checkpoints kept" value={keep_checkpoints} />
        {Object.entries(hyperparameters).map(([name, value]) => (
          <Fact key={name} name={<code>{name}</code>} value={<JsonText of={value as Json} />} />
        ))}
      </DefinitionList>
    </Section>
  )
}

function TrainingLineage({ training: { id, model, name, request } }: { training: Training }) {
  const datasets = [...new Set(request.datasets.map(({ dataset }) => dataset))]
  const found = useQueries({
    queries: datasets.map((dataset) => ({
      queryKey: ['dataset', dataset],
      queryFn: () => api.dataset(dataset),
      staleTime: 60_000,
    })),
  })
  const sources = found.flatMap(({ data }) =>
    data === undefined ? [] : [[data.id, [...data.request.runs, ...data.request.experts]] as const],
  )
  const base = nameBase(request.base)
  const lineage = lineageOf([
    {
      model: model === null ? null : { id: model, name: name ?? 'model' },
      training: id,
      start: { id: base, name: 'registered' in request.base ? 'base' : 'base from outside' },
      datasets,
      runs: Object.fromEntries(sources),
    },
  ])
  return <LineageSection lineage={lineage} />
}
