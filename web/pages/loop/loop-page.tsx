import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { formatDuration, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Loop, LoopStage } from '../../../shared/core/contracts/loop.ts'
import { Column } from '../../components/column.tsx'
import { LineageSection } from '../../components/lineage/lineage-section.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { datasetAddress, endpointAddress, runAddress, trainingAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { keepOf } from '../../service/keep-of.ts'
import { isGoing } from '../loops/loops-page.tsx'
import { RoundsSection } from './rounds-section.tsx'

const way = [{ to: '/loops', name: 'Loops' }]

export function LoopPage() {
  const { loop: id = '' } = useParams()
  const loop = useQuery({
    queryKey: ['loop', id],
    queryFn: () => api.loop(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isGoing(state.data) ? 2000 : false),
  })
  const ended = loop.data?.rounds.flatMap(({ stages }) => stages).filter(({ ended_at }) => ended_at !== null)
  const report = useQuery({
    queryKey: ['loop-report', id, ended?.length ?? 0, loop.data?.status],
    queryFn: () => api.loopReport(id),
    enabled: loop.data !== undefined,
    placeholderData: keepOf('loop-report', id),
  })
  const found = loop.data
  return (
    <>
      <PageHeader
        way={way}
        title={<span dir="auto">{showControls(found?.name ?? id)}</span>}
        tab={found?.name ?? 'Loop'}
        lead={found && <Lead loop={found} />}
      />
      <Loaded what="the loop" query={loop}>
        {(shown) => (
          <>
            {shown.reason !== null && (
              <Notice tone={shown.status === 'paused' || shown.status === 'failed' ? 'warn' : 'info'}>
                {showControls(shown.reason)}
              </Notice>
            )}
            <Loaded what="the report" query={report}>
              {(of) => (
                <>
                  <RoundsSection report={of} />
                  <LineageSection lineage={of.lineage} />
                </>
              )}
            </Loaded>
            <StagesSection loop={shown} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Lead({ loop: { progress, request, status, usage } }: { loop: Loop }) {
  return (
    <>
      <StatusBadge status={workWord(status)} /> {request.recipe} in {request.environment}, round{' '}
      {progress.round} of {progress.rounds}
      {progress.stage !== null && <>, {progress.stage}</>}, {formatMoney(usage.cost)}
    </>
  )
}

function StagesSection({ loop }: { loop: Loop }) {
  return (
    <Section title="Stages" isFlush>
      <Table label="Stages">
        <thead>
          <tr>
            <Column isNumber>Round</Column>
            <Column>Stage</Column>
            <Column>Status</Column>
            <Column>What it is</Column>
            <Column isNumber>Cost</Column>
            <Column isNumber>Time</Column>
          </tr>
        </thead>
        <tbody>
          {loop.rounds.flatMap(({ round, stages }) =>
            stages.map((stage) => (
              <tr key={`${round}/${stage.id}`}>
                <td className="number">{round}</td>
                <td>{stage.id}</td>
                <td>
                  <StatusBadge status={workWord(stage.status)} />
                </td>
                <td>
                  <StageLink stage={stage} />
                </td>
                <td className="number">{formatMoney(stage.cost)}</td>
                <td className="number">{formatDuration(stage.seconds)}</td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
    </Section>
  )
}

const addresses: Record<LoopStage['object'], (ref: string) => string> = {
  run: runAddress,
  dataset: datasetAddress,
  training: trainingAddress,
  endpoint: endpointAddress,
}

function StageLink({ stage: { object, ref } }: { stage: Pick<LoopStage, 'object' | 'ref'> }) {
  return (
    <Link to={addresses[object](ref)} className="identifier">
      {ref}
    </Link>
  )
}
