import { Link } from 'react-router'
import { formatMoney, formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { type ListColumn, ListPage } from '../../components/list-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TrainingProgress } from '../../components/training-progress.tsx'
import { modelAddress, trainingAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { isTraining } from '../../format/describe-training.ts'
import { nameBase } from '../../format/name-base.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'

export function TrainingsPage() {
  return (
    <ListPage
      entry="training"
      lead="Models that learn from datasets: by imitation, from pairs, or from judged steps."
      ask={api.trainings}
      isChanging={isTraining}
      addressOf={trainingAddress}
      columns={columns}
      verb="Begin"
      command="espalier train DATASET --base ./model --recipe sft"
    >
      A training takes a base model and datasets, checks that they fit before anything is spent, and registers
      the model that comes of it. The base is a folder of weights, or the id of a model.
    </ListPage>
  )
}

const columns: readonly ListColumn<Training>[] = [
  {
    title: 'Recipe and base',
    sort: ({ request: { base, recipe } }) => `${recipe} ${nameBase(base)}`,
    cell: ({ request: { base, datasets, recipe } }) => (
      <>
        {recipe} from {countOf(datasets.length, 'dataset')}
        <div className="soft" dir="auto">
          on {showControls(nameBase(base))}
        </div>
      </>
    ),
  },
  {
    title: 'Status',
    sort: ({ status }) => workWord(status),
    cell: (training) =>
      isTraining(training) ? (
        <TrainingProgress training={training} />
      ) : (
        <StatusBadge status={workWord(training.status)} />
      ),
  },
  {
    title: 'Loss',
    isNumber: true,
    sort: ({ metrics }) => metrics?.loss ?? null,
    cell: ({ metrics }) => formatNumber(metrics?.loss ?? null, 4),
  },
  {
    title: 'Accuracy',
    isNumber: true,
    sort: ({ metrics }) => metrics?.accuracy ?? null,
    cell: ({ metrics }) => formatNumber(metrics?.accuracy ?? null, 3),
  },
  {
    title: 'Cost',
    isNumber: true,
    sort: ({ usage }) => usage.cost,
    cell: ({ usage }) => formatMoney(usage.cost),
  },
  {
    title: 'Model',
    sort: ({ model }) => model,
    cell: ({ model }) =>
      model === null ? (
        noNumber
      ) : (
        <Link to={modelAddress(model)} className="identifier">
          {model}
        </Link>
      ),
  },
]
