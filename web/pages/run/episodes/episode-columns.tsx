import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../../shared/core/client/format-quantity.ts'
import { asksAModel } from '../../../../shared/core/contracts/annotated-dataset.ts'
import type { Episode, EpisodeOrder, EpisodeResult } from '../../../../shared/core/contracts/episode.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import type { ListedColumn } from '../../../components/list/column-view.ts'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { episodeAddress } from '../../../format/addresses.ts'
import { formatSeconds } from '../../../format/format-seconds.ts'
import { showControls } from '../../../format/show-controls.ts'
import { episodeWord } from './episode-word.ts'
import styles from './episodes.module.css'
import { triesOf } from './tries-of.ts'

export interface EpisodeColumn extends ListedColumn {
  sort?: EpisodeOrder
  isNumber: boolean
  cell: (episode: Episode) => ReactNode
}

const episode: EpisodeColumn = {
  name: 'Episode',
  isKept: true,
  sort: 'index',
  isNumber: false,
  width: 7,
  cell: ({ id, run }) => <Link to={episodeAddress(run, id)}>{id}</Link>,
}

const task: EpisodeColumn = {
  name: 'Task',
  sort: 'task',
  isNumber: false,
  width: 11,
  cell: ({ purpose, task: id }) => (
    <span dir="auto" title={showControls(id)}>
      {purpose !== 'play' && <span className={styles.episodePurpose}>{purpose}s</span>}
      {showControls(id)}
    </span>
  ),
}

const askedAbout: EpisodeColumn = {
  name: 'Asks about',
  sort: 'task',
  isNumber: false,
  width: 22,
  cell: ({ task: id }) => {
    const [run = '', asked = ''] = id.split('/')
    return (
      <Link to={episodeAddress(run, asked)} dir="auto">
        {showControls(id)}
      </Link>
    )
  },
}

const epoch: EpisodeColumn = {
  name: 'Epoch',
  hint: 'Which playing of its task it is',
  isNumber: true,
  width: 4.5,
  cell: (shown) => (shown.purpose === 'play' ? shown.epoch + 1 : noNumber),
}

function statusColumn(isPaused: boolean): EpisodeColumn {
  return {
    name: 'Status',
    isNumber: false,
    width: 10.5,
    cell: (shown) => <StatusBadge status={episodeWord(shown, isPaused)} />,
  }
}

export const whyNoFigures =
  'Figures are shown for episodes that ended and were not cancelled; the page of any other shows what its steps took so far.'

const ofTrees: EpisodeColumn[] = [
  figure('Reward', 'reward', ({ reward }) => formatNumber(reward)),
  figure('Steps', 'steps', ({ steps }) => formatCount(steps)),
  figure('Nodes', 'nodes', ({ nodes }) => formatCount(nodes)),
]

const ofAll: EpisodeColumn[] = [
  figure('Calls', 'model_calls', ({ usage }) => formatCount(usage.model_calls)),
  figure('Tokens', 'tokens', ({ usage }) => formatCount(usage.input_tokens + usage.output_tokens)),
  figure('Cost', 'cost', ({ usage }) => (usage.cost === null ? noNumber : formatMoney(usage.cost))),
  {
    ...figure('Working time', 'working_seconds', ({ working_seconds }) => formatSeconds(working_seconds)),
    hint: 'Without queueing and downtime',
    width: 7.5,
  },
  {
    name: 'Tries',
    hint: 'More than one where it ended with an error and was played again',
    isNumber: true,
    width: 4.5,
    cell: triesOf,
  },
]

export function episodeColumns(run: Pick<Run, 'request' | 'status'>): EpisodeColumn[] {
  const status = statusColumn(run.status === 'paused')
  if (asksAModel(run)) return [episode, askedAbout, status, ...ofAll]
  return [episode, task, ...(run.request.epochs > 1 ? [epoch] : []), status, ...ofTrees, ...ofAll]
}

export function leastWidth(columns: readonly EpisodeColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0)
}

function figure(name: string, sort: EpisodeOrder, show: (result: EpisodeResult) => ReactNode): EpisodeColumn {
  return {
    name,
    sort,
    isNumber: true,
    width: 5.25,
    cell: ({ result }) => (result === null ? <span title={whyNoFigures}>{noNumber}</span> : show(result)),
  }
}
