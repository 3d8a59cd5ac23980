import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { runAddress } from '../../format/addresses.ts'
import { runName } from '../../format/run-name.ts'
import { api } from '../../service/api.ts'
import { isGoingOn } from '../../service/follow-run.ts'
import { runQuery } from '../../service/run-query.ts'
import { faultsOf, type LabelChoice, readLabelChoice, writeLabelChoice } from './label-choice.ts'
import { LabelQueue } from './label-queue.tsx'
import { LabelSettings } from './label-settings.tsx'
import { useRunEpisodes } from './use-label-data.ts'

const firstName = 'helpful'

export function LabelPage() {
  const { run: id = '' } = useParams()
  const run = useQuery(runQuery(id))
  const name = run.data ? runName(run.data) : id
  return (
    <>
      <PageHeader
        title="Judge episodes"
        tab={`Judge episodes · ${name}`}
        way={[
          { to: '/runs', name: 'Runs' },
          { to: runAddress(id), name },
        ]}
        lead="One ended episode after the other, by keys. Each judgement is stored at once, beside the environment’s reward."
      />
      <Loaded what="the run" query={run}>
        {(found) => <LabelDesk run={found} />}
      </Loaded>
    </>
  )
}

function LabelDesk({ run }: { run: Run }) {
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const scores = useQuery({ queryKey: ['scores', run.id], queryFn: () => api.scores(run.id) })
  const episodes = useRunEpisodes(run.id, isGoingOn(run))
  const names = scores.data?.data.filter(({ kind }) => kind === 'person').map(({ id }) => id) ?? []
  const said = readLabelChoice(address)
  const choice = { ...said, name: said.name || (names[0] ?? firstName) }
  const faults = faultsOf(choice)

  function change(part: Partial<LabelChoice>) {
    const now = readLabelChoice(new URLSearchParams(window.location.search))
    const next = { ...now, name: now.name || choice.name, ...part }
    // Episodes enter the history; settings do not.
    void navigate(
      { search: writeLabelChoice(next) },
      { replace: !('episode' in part), preventScrollReset: true },
    )
  }

  return (
    <Loaded what="the scores" query={scores}>
      {() => (
        <>
          <LabelSettings choice={choice} faults={faults} names={names} onChange={change} />
          {episodes.data?.hasMore && (
            <Notice isSpaced tone="warn">
              <p>The first {episodes.data.episodes.length.toLocaleString('en')} episodes are in the queue.</p>
            </Notice>
          )}
          {faults.name === null && faults.by === null && (
            <Loaded what="the episodes" query={episodes}>
              {({ episodes }) => (
                <LabelQueue run={run} episodes={episodes} choice={choice} onChange={change} />
              )}
            </Loaded>
          )}
        </>
      )}
    </Loaded>
  )
}
