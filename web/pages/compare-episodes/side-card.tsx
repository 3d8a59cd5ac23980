import { Link } from 'react-router'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Button } from '../../components/button.tsx'
import { DefinitionList, Fact } from '../../components/definition-list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { episodeAddress, runAddress } from '../../format/addresses.ts'
import { runName } from '../../format/run-name.ts'
import { shortText } from '../../format/short-text.ts'
import { episodeWord } from '../run/episodes/episode-word.ts'
import styles from './compare-episodes.module.css'
import type { Side } from './use-side.ts'

export function SideCard({
  name,
  side,
  onChoose,
}: {
  name: string
  side: Side | null
  onChoose: () => void
}) {
  const chooseButton = (
    <Button onClick={onChoose} aria-haspopup="dialog">
      {side === null ? 'Choose an episode' : 'Choose another episode'}
      <span className="visually-hidden"> for the {name.toLowerCase()}</span>
    </Button>
  )
  return (
    <section className={styles.sideCard} aria-label={name}>
      <header className={styles.sideHead}>
        <h2>{name}</h2>
        {chooseButton}
      </header>
      {side === null ? (
        <p className="soft">No episode is chosen for this side.</p>
      ) : (
        <Loaded what={`the episode on the ${name.toLowerCase()}`} query={side.episode}>
          {(episode) => <SideFacts episode={episode} run={side.run.data} />}
        </Loaded>
      )}
    </section>
  )
}

function SideFacts({ episode, run }: { episode: Episode; run: Run | undefined }) {
  const { id, task, epoch, result } = episode
  const { method, model } = run?.request ?? {}
  return (
    <>
      <p className={styles.sideTask}>
        <Link to={episodeAddress(episode.run, id)}>
          <bdi>{shortText(task, 200)}</bdi>
        </Link>
      </p>
      <DefinitionList>
        <Fact
          name="Run"
          value={
            <Link to={runAddress(episode.run)}>
              <bdi>{run ? runName(run) : episode.run}</bdi>
            </Link>
          }
        />
        <Fact name="Episode" value={epoch > 0 ? `${id}, epoch ${epoch + 1}` : id} />
        <Fact name="Method" value={method?.id ?? '…'} />
        <Fact
          name="Model"
          value={<bdi>{model ? shortText(`${model.endpoint}/${model.id}`, 160) : '…'}</bdi>}
        />
        <Fact
          name="Outcome"
          value={<StatusBadge status={episodeWord(episode, run?.status === 'paused')} />}
        />
        <Fact name="Reward" value={formatNumber(result?.reward ?? null)} />
        <Fact
          name="Steps"
          value={
            result === null
              ? noNumber
              : `${formatCount(result.steps)}, ${formatCount(result.path_length)} to the answer`
          }
        />
        <Fact name="Cost" value={result === null ? noNumber : formatMoney(result.usage.cost)} />
      </DefinitionList>
    </>
  )
}
