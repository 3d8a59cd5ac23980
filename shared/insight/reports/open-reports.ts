import type { AbilityWeights } from '../../core/contracts/ability.ts'
import type { BudgetKind, Curve, Curves } from '../../core/contracts/curve.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Leaderboard, LeaderboardRequest } from '../../core/contracts/leaderboard.ts'
import { toList } from '../../core/contracts/list.ts'
import type { Comparison, IntervalKind, Report, SuccessRates } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import { listEpisodePages } from '../../core/engine/episodes/list-episode-pages.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { ScoreCounter } from './build-report.ts'
import type { RunToCompare } from './compare-runs.ts'
import type { RunToRead } from './curves/build-curves.ts'
import { RunFolds } from './fold-run.ts'
import type { TasksOf } from './group-tasks.ts'
import type { AbilityWeightsOf } from './leaderboard/abilities.ts'

interface IntervalOption {
  interval?: IntervalKind
}

export interface Reports {
  /** @throws EspalierError `not_found`; `invalid_request` for a bootstrap over too many tasks, as `compare` does */
  report(run: string, options?: IntervalOption): Promise<Report>
  /**
   * @throws EspalierError `not_found` with the run's position in the list, `invalid_request` for unlike environments.
   */
  compare(runs: string[], options?: IntervalOption): Promise<Comparison>
  /**
   * The runs of a selection as methods × environments.
   * @throws EspalierError `not_found` with the run's position in the list, or for a selection without runs;
   * `invalid_request` for more than two hundred
   */
  leaderboard(selection: LeaderboardRequest): Promise<Leaderboard>
  /** @throws EspalierError `not_found` with the run's position in the list */
  success(runs: string[]): Promise<SuccessRates>
  /** @throws EspalierError `not_found`; `invalid_request` for a curve over unknown money, as `curves` does */
  curve(run: string, over: BudgetKind): Promise<Curve>
  /**
   * @throws EspalierError `not_found` with the run's position in the list, `invalid_request` for unlike environments.
   */
  curves(runs: string[], over: BudgetKind): Promise<Curves>
}

export interface ReportNeeds {
  runs: Pick<Runs, 'get' | 'episodes' | 'journal'>
  /** For leaderboards of an experiment. @default there are none */
  listRuns?: Runs['list']
  listExperiments?: Runs['experiments']
  isSimulated: (endpoint: string) => boolean | Promise<boolean>
  tasksOf: TasksOf
  abilitiesOf?: AbilityWeightsOf
  /** Folds cached between requests. @default those of these reports alone */
  folds?: RunFolds
  /** Scores of a run's episodes beside their reward. @default none */
  scoresOf?: (run: string) => Promise<ScoreCounter>
}

const nothing = async () => toList([], false)

export function openReports(needs: ReportNeeds): Reports {
  const { runs, isSimulated, tasksOf, scoresOf, folds = new RunFolds() } = needs
  const { abilitiesOf = async () => null, listRuns = nothing, listExperiments = nothing } = needs
  async function simulated(run: Run): Promise<boolean> {
    const { model, roles } = run.request
    // A role without an endpoint uses the model's.
    const endpoints = [model, ...Object.values(roles)].flatMap((choice) => choice?.endpoint ?? [])
    return (await Promise.all(endpoints.map(isSimulated))).includes(true)
  }

  async function anySimulated(found: readonly Run[]): Promise<boolean> {
    return (await Promise.all(found.map(simulated))).includes(true)
  }

  async function getRun(id: string, index: number): Promise<Run> {
    try {
      return await runs.get(id)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'not_found') throw error
      throw new EspalierError('not_found', error.message, { param: `runs[${index}]`, cause: error })
    }
  }

  const fold = (run: Run) => folds.get(run, () => listEpisodes(runs, run.id))

  async function toRead(run: Run): Promise<RunToRead> {
    return {
      run,
      simulated: await simulated(run),
      episodes: listEpisodes(runs, run.id),
      journal: (episode) => runs.journal(run.id, episode),
    }
  }

  return {
    async report(id, { interval = 't' } = {}) {
      const { buildReport } = await import('./build-report.ts')
      const run = await runs.get(id)
      const facts = await tasksOf(run.request.environment, run.request.data)
      const scores = await scoresOf?.(id)
      const isJudged = scores?.isEmpty === false
      return buildReport(run, isJudged ? listEpisodes(runs, id) : await fold(run), {
        simulated: await simulated(run),
        facts,
        interval,
        ...(isJudged && { scores }),
      })
    },
    async compare(ids, { interval = 't' } = {}) {
      const { compareRuns } = await import('./compare-runs.ts')
      const found = await Promise.all(ids.map(getRun))
      return compareRuns(await Promise.all(found.map(async (run) => ({ run, episodes: await fold(run) }))), {
        simulated: await anySimulated(found),
        interval,
      })
    },
    async leaderboard(selection) {
      const { buildLeaderboard } = await import('./leaderboard/build-leaderboard.ts')
      const { selectRuns } = await import('./leaderboard/select-runs.ts')
      const found =
        selection.runs === undefined
          ? await selectRuns({ listRuns, listExperiments }, selection)
          : unique(await Promise.all(selection.runs.map(getRun)))
      const played: RunToCompare[] = []
      for (const run of found) played.push({ run, episodes: await fold(run) })
      const weights = new Map<string, AbilityWeights>()
      for (const { request } of found) {
        const own = await abilitiesOf(request.environment, request.data)
        if (own !== null) weights.set(request.environment, own)
      }
      return buildLeaderboard(played, { simulated: await anySimulated(found), selection, weights })
    },
    async success(ids) {
      const { rateSuccess } = await import('./rate-success.ts')
      const found = await Promise.all(ids.map(getRun))
      return { object: 'success_rates', rates: await rateSuccess(found, (run) => listEpisodes(runs, run)) }
    },
    async curve(id, over) {
      const { buildCurves } = await import('./curves/build-curves.ts')
      const { curves } = await buildCurves([await toRead(await runs.get(id))], { over })
      return curves[0] as Curve
    },
    async curves(ids, over) {
      const { checkComparable } = await import('./compare-runs.ts')
      const { buildCurves } = await import('./curves/build-curves.ts')
      const found = await Promise.all(ids.map(getRun))
      checkComparable(found)
      const read = await Promise.all(found.map(toRead))
      return { ...(await buildCurves(read, { over })), simulated: read.some((run) => run.simulated) }
    },
  }
}

function unique(found: readonly Run[]): Run[] {
  return [...new Map(found.map((run) => [run.id, run])).values()]
}

export async function* listEpisodes(runs: Pick<Runs, 'episodes'>, run: string): AsyncGenerator<Episode> {
  for await (const page of listEpisodePages(runs, run)) yield* page
}
