import type { Dataset, DatasetRequest } from '../../../core/contracts/dataset.ts'
import { type GateId, gates } from '../../../core/contracts/gates.ts'
import { type LeftOutReason, leftOutReasons } from '../../../core/contracts/left-out-reasons.ts'

const advice: Partial<Record<LeftOutReason | GateId, string>> = {
  failed: 'Choose runs that solved some of their tasks, or ask for failures by the parameters of the kind.',
  limited: 'Give the runs longer episodes, or ask for failures by the parameters of the kind.',
  errored: 'Retry the runs.',
  cancelled: 'Choose runs that were not cancelled.',
  not_finished: 'Build the dataset again when the runs have ended.',
  below_min_reward: 'Lower the minimum.',
  no_pair: 'Play the tasks more often, or lower the margin.',
  no_expert: 'Name experts that have played these tasks.',
  no_branch: 'Choose runs of a search, or lower the margin.',
  no_search: 'Choose runs of a search.',
  not_asked: 'See in the report of the annotation run why, and build the dataset again.',
  held_out:
    'Play tasks of the split "train" for training data; or keep these by the gate held_out, if the data is not for training.',
  max_tokens: 'Raise max_tokens.',
  unfit: 'Choose another format.',
  not_text: 'Say whether rows show pictures: "pictures": "show", or "leave_out".',
  pictures_cut:
    'Play runs with a larger max_pictures, choose a kind of single answers, or leave pictures out: "pictures": "leave_out".',
}

export function resultWarnings(
  { splits: shares }: DatasetRequest,
  { rows, splits, left_out, gates: passed }: Pick<Dataset, 'rows' | 'splits' | 'left_out' | 'gates'>,
): string[] {
  if (rows === 0) return [noRows(left_out, passed)]
  if (shares === undefined) return []
  return Object.entries(splits)
    .filter(([, split]) => split.rows === 0)
    .map(([name]) => `The split "${name}" has no rows: there are too few tasks for its share.`)
}

function noRows(leftOut: Dataset['left_out'], passed: Dataset['gates']): string {
  const causes = [
    ...Object.entries(leftOut).map(([id, count]) => ({
      id: id as LeftOutReason | GateId,
      count,
      what: `${count === 1 ? '1 episode' : `${count} episodes`}: ${leftOutReasons[id as LeftOutReason]}`,
    })),
    ...Object.entries(passed).map(([id, { dropped }]) => ({
      id: id as LeftOutReason | GateId,
      count: dropped,
      what: `${dropped === 1 ? '1 row' : `${dropped} rows`}: ${gates[id as GateId]}`,
    })),
  ]
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count)
  const main = causes[0]
  if (main === undefined) return 'There are no rows: there was no episode to read.'
  const todo = advice[main.id]
  return `There are no rows. ${causes.map(({ what }) => what).join('; ')}.${todo === undefined ? '' : ` ${todo}`}`
}
