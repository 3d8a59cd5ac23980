import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import { MadeLine } from '../../components/header-line.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { runAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { useRollout } from '../../service/use-rollout.ts'
import { FiguresSection } from './figures-section.tsx'
import { GroupsSection } from './groups-section.tsx'
import { RolloutPlots } from './rollout-plots.tsx'

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
    placeholderData: (before) => before,
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
