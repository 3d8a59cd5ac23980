import type { ReactNode } from 'react'
import { formatFaults } from '../../../shared/core/client/format-faults.ts'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Usage } from '../../../shared/core/contracts/usage.ts'
import { Stat, Stats } from '../../components/stat.tsx'
import { countOf } from '../../format/count-of.ts'
import { formatSeconds } from '../../format/format-seconds.ts'
import { triesOf } from '../run/episodes/tries-of.ts'
import styles from './episode-page.module.css'
import { isLive } from './is-live.ts'
import { useEpisodeTree } from './use-episode-tree.ts'

export function EpisodeFigures({ episode }: { episode: Episode }) {
  const { tree, growth } = useEpisodeTree(episode)
  const { result } = episode
  const last = growth.data?.steps.at(-1)
  const usage = result?.usage ?? last?.usage
  const seconds = result?.working_seconds ?? last?.elapsed
  const nodes = result?.nodes ?? tree.data?.nodes.length
  return (
    <div className={styles.episodeFigures}>
      <Stats>
        <Stat name="Reward" note={ending(episode)}>
          {formatNumber(result?.reward ?? null)}
        </Stat>
        <Stat name="Nodes" note={pathLength(result)}>
          {count(nodes)}
        </Stat>
        <Stat name="Steps" note={invalid(result)}>
          {count(result?.steps)}
        </Stat>
        <Stat name="Model calls" note={answerNote(result)}>
          {count(usage?.model_calls)}
        </Stat>
        <Stat name="Tokens" note={usage && tokenNote(usage)}>
          {count(usage && usage.input_tokens + usage.output_tokens)}
        </Stat>
        <Stat name="Cost">{usage === undefined ? noNumber : formatMoney(usage.cost)}</Stat>
        <Stat name="Working time" note={tries(episode)}>
          {seconds === undefined ? noNumber : formatSeconds(seconds)}
        </Stat>
      </Stats>
    </div>
  )
}

function tokenNote({ input_tokens, output_tokens, reasoning_tokens }: Usage): string {
  const reasoning = reasoning_tokens === undefined ? '' : ` (${formatCount(reasoning_tokens)} reasoning)`
  return `${formatCount(input_tokens)} in, ${formatCount(output_tokens)} out${reasoning}`
}

function count(figure: number | undefined): string {
  return figure === undefined ? noNumber : formatCount(figure)
}

function ending(episode: Episode): string {
  const { purpose, result } = episode
  if (purpose !== 'play') return 'plays no task'
  if (isLive(episode)) return 'not ended yet'
  const success = result?.success ?? null
  if (success === null) return 'no reward for this end'
  return episodeStatusWord(success ? 'succeeded' : 'failed')
}

function answerNote(result: Episode['result']): ReactNode {
  if (result === null) return null
  if (result.answers === undefined)
    return result.unparsable > 0 && `${countOf(result.unparsable, 'answer')} unreadable`
  const faults = formatFaults(result.answers)
  return faults !== '' && `of ${countOf(result.answers.total, 'answer')} ${faults}`
}

function invalid(result: Episode['result']): ReactNode {
  const actions = result?.invalid_actions ?? 0
  return actions > 0 && `${formatCount(actions)} invalid`
}

function pathLength(result: Episode['result']): ReactNode {
  const actions = result?.path_length ?? 0
  return actions > 0 && `${countOf(actions, 'action')} to the answer`
}

function tries(episode: Episode): ReactNode {
  const played = triesOf(episode)
  return played > 1 && `over ${played} tries`
}
