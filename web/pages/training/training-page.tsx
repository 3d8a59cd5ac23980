import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { LinkButton } from '../../components/button.tsx'
import { MadeLine } from '../../components/header-line.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { isTraining } from '../../format/describe-training.ts'
import { requestAddress } from '../../format/request-address.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { CheckpointsSection } from './checkpoints-section.tsx'
import { MetricsSection } from './metrics-section.tsx'
import { ProgressSection } from './progress-section.tsx'
import { RequestSection } from './request-section.tsx'
import { TrainedRowsSection } from './trained-rows-section.tsx'
import { TrainingActions } from './training-actions.tsx'
import { TrainingLineage } from './training-lineage.tsx'

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
