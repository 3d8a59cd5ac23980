import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import type { GroupFigures, RolloutFigures } from '../../../shared/core/contracts/rollout-figures.ts'
import { MetricPlot } from '../../charts/metric-plot.tsx'
import { MadeLine } from '../../components/header-line.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { runAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { followRollout } from '../../service/follow-rollout.ts'
import { hasEnded } from '../../service/follow-run.ts'
import { useLive } from '../../service/use-live.ts'
import { GroupsSection } from './groups-section.tsx'
import styles from './rollout-page.module.css'

const way = [{ to: '/rollouts', name: 'Rollouts' }]
const shownGroups = 200

export function RolloutPage() {
  const { rollout: id = '' } = useParams()
  const rollout = useRollout(id)
  const found = rollout.data
  return (
    <>
      <PageHeader
        way={way}
        title={<span dir="auto">{showControls(id)}</span>}
        tab="Rollout"
        lead={
          found && (
            <MadeLine of={found}>
              groups of {countOf(found.group_size, 'episode')} for a trainer;{' '}
              <Link to={runAddress(found.run)}>its run</Link> has costs, pause and cancel
            </MadeLine>
          )
        }
      />
      <Loaded what="the rollout" query={rollout}>
        {(shown) => <Sections rollout={shown} />}
      </Loaded>
    </>
  )
}

function Sections({ rollout }: { rollout: RolloutRun }) {
  const { groups, id, status, status_reason } = rollout
  const figures = useQuery({
    queryKey: ['rollout-figures', id],
    queryFn: () => api.rolloutFigures(id, { limit: shownGroups }),
  })
  return (
    <>
      {status_reason !== null && (
        <Notice tone={status === 'paused' || status === 'failed' ? 'warn' : 'info'} isSpaced>
          {showControls(status_reason)}
        </Notice>
      )}
      <Loaded what="the figures" query={figures}>
        {(shown) => (
          <>
            <FiguresSection rollout={rollout} figures={shown} />
            {shown.groups.length > 0 && (
              <>
                <RolloutPlots groups={shown.groups} all={groups.finished} />
                <GroupsSection rollout={rollout} groups={shown.groups} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function FiguresSection({
  rollout: { groups, in_flight, usage, version },
  figures: { flat_share, groups: shown, means, tokens_per_second },
}: {
  rollout: RolloutRun
  figures: RolloutFigures
}) {
  const over = `over the newest ${countOf(shown.length, 'group')}`
  return (
    <Section title="Figures">
      <div aria-live="off">
        <Stats>
          <Stat name="Groups" note={`${formatCount(groups.complete)} complete`}>
            {formatCount(groups.finished)} of {formatCount(groups.total)}
          </Stat>
          <Stat name="Reward" note={over}>
            {formatNumber(means.reward, 3)}
          </Stat>
          <Stat name="Group variance" note="of rewards in a group">
            {formatNumber(means.variance, 3)}
          </Stat>
          <Stat name="Without signal" note="groups of equal rewards">
            {flat_share === null ? noNumber : `${Math.round(flat_share * 100)} %`}
          </Stat>
          <Stat name="Entropy" note="nats a token">
            {formatNumber(means.entropy, 3)}
          </Stat>
          <Stat name="Policy lag" note="versions">
            {formatNumber(means.lag, 1)}
          </Stat>
          <Stat name="Tokens per second" note="answers, while it runs">
            {tokens_per_second === null ? noNumber : formatCount(Math.round(tokens_per_second))}
          </Stat>
          <Stat name="Policy" note={`at most ${countOf(in_flight, 'episode')} in flight`}>
            <span dir="auto">{showControls(version)}</span>
          </Stat>
          <Stat name="Cost">{formatMoney(usage.cost)}</Stat>
        </Stats>
      </div>
    </Section>
  )
}

const plots = [
  { label: 'Reward by group', yAxis: 'reward', figure: 'reward' },
  { label: 'Group variance by group', yAxis: 'variance', figure: 'variance' },
  { label: 'Entropy by group', yAxis: 'nats a token', figure: 'entropy' },
  { label: 'Policy lag by group', yAxis: 'versions', figure: 'lag' },
] as const

/** @param all - finished groups, of which `groups` are the newest */
function RolloutPlots({ groups, all }: { groups: readonly GroupFigures[]; all: number }) {
  const drawn = plots.flatMap(({ figure, ...plot }) => {
    const points = groups.flatMap(({ sequence, [figure]: value }) =>
      value === null ? [] : [{ step: sequence, value }],
    )
    return points.length === 0 ? [] : [{ ...plot, points }]
  })
  if (drawn.length === 0) return null
  const isPart = groups.length < all
  return (
    <Section title="By group" aside={isPart && <span>the newest {countOf(groups.length, 'group')}</span>}>
      <div className={styles.plots}>
        {drawn.map((plot, place) => (
          <MetricPlot key={plot.label} xAxis="group" place={place} {...plot} />
        ))}
      </div>
    </Section>
  )
}

/** Follows a rollout until its end: events update the rollout and its figures. Pass the rollout down. */
function useRollout(id: string): UseQueryResult<RolloutRun> {
  const queryClient = useQueryClient()
  const queryKey = ['rollout', id]
  const rollout = useQuery({ queryKey, queryFn: () => api.rollout(id) })
  useLive(queryKey, rollout.isSuccess && !hasEnded(rollout.data), (signal) =>
    followRollout(id, { api, queryClient, signal }),
  )
  return rollout
}
