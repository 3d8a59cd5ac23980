import { answerWarnings } from '../../core/contracts/answer-warnings.ts'
import { cacheHitRate } from '../../core/contracts/cache-hit-rate.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import type { IntervalKind, Report, ScoreFigures } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import { type IntervalMethod, withIntervals } from './bootstrap.ts'
import { describeTasks } from './describe-tasks.ts'
import { foldRun, type RunFold } from './fold-run.ts'
import { groupByDifficulty, groupByLevel, groupByType, type TaskFactsById } from './group-tasks.ts'
import type { TaskTally } from './task-tally.ts'

export interface ScoreCounter {
  readonly isEmpty: boolean
  add(episode: Episode): void
  figures(interval: IntervalMethod): ScoreFigures[]
}

export interface ReportOptions {
  simulated: boolean
  facts: TaskFactsById | null
  interval: IntervalKind
  scores?: ScoreCounter
}

/**
 * The report of a run, from its episodes or, without judgements, from their fold. Means of reward and success are
 * over the episodes with a reward. Means of steps, nodes, tokens and money are over all that were played
 * (`succeeded`, `failed`, `limited`). Episodes that ended with an error or were cancelled are in no mean, and those
 * that learned or annotated in no mean and no task; their errors and limits are listed like the others'. The sums of
 * each task are over all its ended episodes: they are the task's total effort. `usage` is the run's own, with every
 * payment, and `unparsable` covers every episode too.
 * @param options.simulated the run's numbers come from a simulated endpoint
 * @param options.facts the environment's data about its tasks; null if unknown
 * @throws EspalierError `invalid_request` for a bootstrap over too many tasks
 */
export async function buildReport(
  run: Run,
  episodes: AsyncIterable<Episode> | RunFold,
  { facts, interval, scores, simulated }: ReportOptions,
): Promise<Report> {
  const fold = 'tallies' in episodes ? episodes : await foldRun(episodes, (episode) => scores?.add(episode))
  const { answers, errors, learningEpisodes, limits, shape, tallies, unparsable } = fold
  const tasks = [...tallies.values()]
  const { by_difficulty, by_type, judged, levels, whole } = await withIntervals(interval, (method) => ({
    whole: describeTasks(tasks, method),
    by_type: facts && groupByType(tasks, facts, method),
    by_difficulty: facts && groupByDifficulty(tasks, facts, method),
    levels: facts === null ? [] : groupByLevel(tasks, facts, method),
    judged: scores?.figures(method) ?? [],
  }))
  const hitRate = cacheHitRate(run.usage)
  return {
    object: 'report',
    run: run.id,
    simulated,
    provenance: run.provenance,
    episodes: run.episodes,
    learning_episodes: learningEpisodes,
    ...whole,
    by_type,
    by_difficulty,
    ...(levels.length > 0 && { by_level: levels }),
    unparsable,
    answers,
    answer_warnings: answerWarnings(answers, run.request),
    ...(run.warnings !== undefined && { warnings: run.warnings }),
    usage: run.usage,
    ...(hitRate !== null && { cache_hit_rate: hitRate }),
    lost_calls: run.lost_calls,
    ...(run.bounds !== undefined && { bounds: run.bounds }),
    errors,
    limits: Object.fromEntries([...limits].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    tasks: tasks.map((tally) => taskReport(tally, facts?.get(tally.task)?.type ?? null)),
    shape,
    ...(judged.length > 0 && { scores: judged }),
  }
}

function taskReport(tally: TaskTally, type: string | null): Report['tasks'][number] {
  const { task, episodes, scored, successes, reward, spent, played } = tally
  const mean = (sum: number | null) => (played.episodes === 0 || sum === null ? null : sum / played.episodes)
  return {
    task,
    type,
    episodes,
    scored,
    successes,
    mean_reward: scored === 0 ? null : reward / scored,
    mean_steps: mean(played.steps),
    mean_tokens: mean(played.usage.input_tokens + played.usage.output_tokens),
    mean_cost: mean(played.usage.cost),
    steps: spent.steps,
    tokens: spent.usage.input_tokens + spent.usage.output_tokens,
    cost: spent.usage.cost,
  }
}
