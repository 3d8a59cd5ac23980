import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import {
  type ComparedEpisodes,
  compareAddress,
  compareEpisodesAddress,
  readComparedEpisodes,
} from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import { hasBegun } from '../episode/is-live.ts'
import { AlignedSteps } from './aligned-steps.tsx'
import { type Beginning, ChooseEpisodeDialog } from './choose-episode-dialog.tsx'
import styles from './compare-episodes.module.css'
import { SideCard } from './side-card.tsx'
import { type Side, useSide } from './use-side.ts'

const longestSearch = 200

export function CompareEpisodesPage() {
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const choice = readComparedEpisodes(address)
  const [choosing, setChoosing] = useState<keyof ComparedEpisodes | null>(null)
  const left = useSide(choice.left)
  const right = useSide(choice.right)
  const runs = [choice.left?.run, choice.right?.run].filter((run) => run !== undefined)
  const tasks = [left, right].flatMap((side) => side?.episode.data?.task ?? [])
  const change = (next: ComparedEpisodes) =>
    void navigate(compareEpisodesAddress(next), { preventScrollReset: true })
  return (
    <>
      <PageHeader
        title="Trajectories side by side"
        tab={tasks[0] === undefined ? 'Side by side' : `${shortText(tasks[0], 60)} · side by side`}
        way={[{ to: compareAddress([...new Set(runs)]), name: 'Compare' }]}
        lead="The paths to both answers, aligned by their actions. What differs is underlined."
        actions={
          left !== null &&
          right !== null && (
            <Button onClick={() => change({ left: choice.right, right: choice.left })}>
              <ArrowLeftRight size={16} aria-hidden /> Swap sides
            </Button>
          )
        }
      />
      <div className={styles.sideCards}>
        <SideCard name="Left" side={left} onChoose={() => setChoosing('left')} />
        <SideCard name="Right" side={right} onChoose={() => setChoosing('right')} />
      </div>
      {tasks.length === 2 && tasks[0] !== tasks[1] && (
        <Notice isSpaced tone="warn">
          <p>These episodes are of different tasks: their steps have little reason to be alike.</p>
        </Notice>
      )}
      {left === null || right === null ? (
        <EmptyState
          title={left === null && right === null ? 'No episodes are chosen' : 'One episode is chosen'}
        >
          Choose an episode for each side. The tasks that a run won and lost, on the page Compare, lead here
          with both.
        </EmptyState>
      ) : (
        <Trajectories left={left} right={right} />
      )}
      <ChooseEpisodeDialog
        side={choosing === 'right' ? 'Right' : 'Left'}
        isOpen={choosing !== null}
        onClose={() => setChoosing(null)}
        from={choosing === 'right' ? beginning(right, left) : beginning(left, right)}
        onChoose={(place) => {
          if (choosing !== null) change({ ...choice, [choosing]: place })
          setChoosing(null)
        }}
      />
    </>
  )
}

function Trajectories({ left, right }: { left: Side; right: Side }) {
  const episodes = [left.episode.data, right.episode.data]
  if (episodes.some((episode) => episode === undefined)) return null
  const waiting = [left, right].filter(({ episode }) => episode.data && !hasBegun(episode.data))
  if (waiting.length > 0) {
    return (
      <EmptyState title="No trajectory to compare">
        {waiting.map(({ place }) => `${place.episode} of ${place.run}`).join(' and ')}: has not begun, or
        plays no task.
      </EmptyState>
    )
  }
  return (
    <Loaded what="the trajectory on the left" query={left.tree}>
      {(leftTree) => (
        <Loaded what="the trajectory on the right" query={right.tree}>
          {(rightTree) => (
            <AlignedSteps
              key={JSON.stringify([left.place, right.place])}
              left={{ place: left.place, tree: leftTree, turns: left.turns ?? [] }}
              right={{ place: right.place, tree: rightTree, turns: right.turns ?? [] }}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function beginning(own: Side | null, other: Side | null): Beginning {
  return {
    run: own?.place.run ?? null,
    task: (own?.episode.data?.task ?? other?.episode.data?.task ?? '').slice(0, longestSearch),
    environment: (other ?? own)?.run.data?.request.environment ?? null,
  }
}
