import type { EpisodePurpose } from '../contracts/episode.ts'
import type { Json } from '../contracts/json.ts'
import { addUsage, noUsage } from '../contracts/usage.ts'
import { type EpisodeSummary, unusableAnswers } from '../engine/episodes/episode-program.ts'
import type { EffectRecord, JournalRecord } from '../engine/journal-record.ts'
import { judgeAnswers } from './answer-faults.ts'
import { type CommittedCall, type TrajectoryOptions, toTrajectory } from './to-trajectory.ts'
import { SearchTree } from './tree.ts'
import type { TreeEntry } from './tree-entry.ts'

/**
 * What a journal of tree entries amounts to: the tree folded, the trajectory to its best node, the reward. Null before
 * the first entry.
 */
export function summariseJournal(
  records: readonly JournalRecord[],
  { purpose, ...options }: TrajectoryOptions & { purpose: EpisodePurpose },
): EpisodeSummary | null {
  const entries = records.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  if (!tree) return null
  const calls = committedCalls(records)
  const { best } = tree
  const [, ...taken] = tree.path(best)
  const isLearning = purpose !== 'play'
  const { counts, isUnusable } = judgeAnswers(records)
  return {
    tree: tree.toTree() as unknown as Json,
    trajectory:
      best.parent === null || isLearning ? null : (toTrajectory(tree, calls, options) as unknown as Json),
    reward: isLearning ? null : best.reward,
    success: isLearning ? null : tree.isSolved,
    steps: tree.steps,
    nodes: tree.nodes.length,
    path_length: best.depth,
    primitive_steps: taken.reduce((sum, { primitives }) => sum + (primitives?.length ?? 1), 0),
    invalid_actions: tree.nodes.filter(({ valid }) => valid === false).length,
    unparsable: tree.unread,
    answers: counts,
    fault:
      isLearning || !isUnusable ? null : { name: unusableAnswers, message: nothingToScore, effect: null },
    notes: entries.flatMap((entry) => ('note' in entry ? [entry.note] : [])),
    actions: entries.flatMap((entry) => ('learned' in entry ? [entry.learned] : [])),
    // The path up to the best node never loses what it reached.
    progress_rate: best.progress ?? null,
    grounding_accuracy:
      taken.length === 0 ? null : taken.filter(({ valid }) => valid !== false).length / taken.length,
    usage: [...calls.values()].reduce((sum, { usage }) => addUsage(sum, usage ?? noUsage), noUsage),
  }
}

/** Of an episode whose every answer was of no use. */
const nothingToScore =
  'Every answer of the agent was empty, or cut before it named an action, so there is nothing to score. Start a new run with a higher model.max_tokens; where the answers are short, see what the endpoint sends.'

/** Every committed effect by its key, with the moment its segment was written. */
function committedCalls(records: readonly JournalRecord[]): Map<string, CommittedCall> {
  const calls = new Map<string, CommittedCall>()
  let at = ''
  for (const record of records) {
    if ('segment' in record) at = record.at
    else if ('effect' in record) calls.set(record.effect, toCall(record, at))
  }
  return calls
}

function toCall({ usage }: EffectRecord, at: string): CommittedCall {
  return { at, ...(usage && { usage }) }
}
