import type { LineageRow, Origin } from '../../../core/contracts/dataset.ts'
import type { RowFacts } from '../../formats/trainer-format.ts'
import type { DatasetKind, FoundRow, Side } from '../kind.ts'
import type { PlannedTask } from './plan.ts'
import { rowPictures } from './settle-pictures.ts'

export function rowFacts(
  { id: kind }: DatasetKind,
  { environment, task }: PlannedTask,
  { explained, origin, other }: FoundRow,
  row: number,
  isPictured: boolean,
): RowFacts {
  const other_reward = other === undefined ? null : rewardOf(other)
  const about = { kind, environment, task, row, reward: rewardOf(origin), other_reward, isPictured }
  return explained === undefined ? about : { ...about, explained }
}

export function lineageOf(
  { id: kind }: DatasetKind,
  { environment, data, task, task_split }: PlannedTask,
  { row, origin, other }: FoundRow,
  { tokens, sha256 }: { tokens: number; sha256: string },
): Omit<LineageRow, 'row'> {
  const pictures = rowPictures(row).map((picture) => picture.sha256)
  return {
    kind,
    environment,
    data,
    task,
    task_split,
    tokens,
    sha256,
    ...(pictures.length > 0 && { pictures }),
    origin: originOf(origin),
    other: other === undefined ? null : originOf(other),
    schema_version: 'espalier-lineage-v2',
  }
}

function originOf(side: Side): Origin {
  const { source, episode, attempt, method, model, scores } = side.attempt
  const played = { source, episode, attempt, method, model, reward: rewardOf(side) }
  return { ...played, node_ids: [...side.node_ids], ...(scores !== undefined && { scores: { ...scores } }) }
}

function rewardOf({ attempt, reward }: Side): number | null {
  return reward === undefined ? attempt.reward : reward
}
