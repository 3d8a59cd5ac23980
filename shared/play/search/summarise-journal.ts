import type { EpisodePurpose } from '../../core/contracts/episode.ts'
import type { Json } from '../../core/contracts/json.ts'
import type { Trajectory, TrajectoryStep } from '../../core/contracts/trajectory.ts'
import { addUsage, noUsage, type Usage } from '../../core/contracts/usage.ts'
import { type EpisodeSummary, unusableAnswers } from '../../core/engine/episodes/episode-program.ts'
import type { EffectRecord, JournalRecord } from '../../core/engine/journal-record.ts'
import { judgeAnswers } from './answer-faults.ts'
import { observationText } from './conversation.ts'
import { type SearchNode, SearchTree } from './tree.ts'
import type { TreeEntry } from './tree-entry.ts'

export interface TrajectoryOptions {
  run: string
  episode: string
  method: string
  model: string
  version: string
}

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
    // The path up to the best node never loses reached progress.
    progress_rate: best.progress ?? null,
    grounding_accuracy:
      taken.length === 0 ? null : taken.filter(({ valid }) => valid !== false).length / taken.length,
    usage: [...calls.values()].reduce((sum, { usage }) => addUsage(sum, usage ?? noUsage), noUsage),
  }
}

const nothingToScore =
  'Every answer of the agent was empty, or cut before it named an action, so there is nothing to score. Start a new run with a higher model.max_tokens; where the answers are short, see what the endpoint sends.'

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

interface CommittedCall {
  at: string
  usage?: Usage
}

/**
 * The path from the root to the tree's best node in Harbor's Agent Trajectory Interchange Format. The head of the
 * conversation becomes system and user steps. Each action becomes an agent step with the environment's answer.
 *
 * @see Harbor RFC 0001, trajectory format
 */
function toTrajectory(
  tree: SearchTree,
  calls: Map<string, CommittedCall>,
  options: TrajectoryOptions,
): Trajectory {
  const { run, episode, method, model, version } = options
  const path = tree.path(tree.best).slice(1)
  const { environment, task, messages } = tree.toTree()
  const head = messages.map(
    ({ role, content }): Omit<TrajectoryStep, 'step_id'> => ({
      source: role === 'assistant' ? 'agent' : role,
      message: content,
    }),
  )
  const steps = [...head, ...path.map((node) => toStep(node, calls, model))]
  const total = path.reduce((sum, node) => addUsage(sum, usageOf(node, calls)), noUsage)
  return {
    schema_version: 'ATIF-v1.6',
    session_id: `${run}/${episode}`,
    agent: { name: `espalier-${method}`, version, model_name: model },
    steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
    final_metrics: {
      total_prompt_tokens: total.input_tokens,
      total_completion_tokens: total.output_tokens,
      ...(total.cached_tokens !== undefined && { total_cached_tokens: total.cached_tokens }),
      ...(total.cost !== null && { total_cost_usd: total.cost }),
      total_steps: steps.length,
      extra: {
        reward: tree.best.reward,
        ...(total.reasoning_tokens !== undefined && { total_reasoning_tokens: total.reasoning_tokens }),
      },
    },
    extra: { environment, task },
  }
}

function toStep(
  node: SearchNode,
  calls: Map<string, CommittedCall>,
  model: string,
): Omit<TrajectoryStep, 'step_id'> {
  const call = callOf(node, calls)
  const { input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost } = usageOf(node, calls)
  const id = `call_${node.index}`
  return {
    ...(call && { timestamp: call.at }),
    source: 'agent',
    model_name: model,
    message: node.message ?? '',
    tool_calls: [{ tool_call_id: id, function_name: 'act', arguments: { action: node.action ?? '' } }],
    observation: { results: [{ source_call_id: id, content: observationText(node.observation) }] },
    metrics: {
      prompt_tokens: input_tokens,
      completion_tokens: output_tokens,
      ...(cached_tokens !== undefined && { cached_tokens }),
      ...(cost !== null && { cost_usd: cost }),
      ...(reasoning_tokens !== undefined && { extra: { reasoning_tokens } }),
    },
    extra: {
      node: node.index,
      reward: node.reward,
      done: node.done,
      ...(node.primitives && { primitives: node.primitives }),
      ...(node.trace !== undefined && { trace: node.trace }),
    },
  }
}

function usageOf(node: SearchNode, calls: Map<string, CommittedCall>): Usage {
  return callOf(node, calls)?.usage ?? noUsage
}

function callOf({ effect }: SearchNode, calls: Map<string, CommittedCall>): CommittedCall | undefined {
  return effect === null ? undefined : calls.get(effect.replace(/\/choice\/\d+$/, ''))
}
