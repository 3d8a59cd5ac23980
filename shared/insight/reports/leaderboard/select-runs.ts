import { EspalierError } from '../../../core/contracts/errors.ts'
import { type LeaderboardRequest, mostLeaderboardRuns } from '../../../core/contracts/leaderboard.ts'
import type { Run } from '../../../core/contracts/run.ts'
import { didYouMean } from '../../../core/contracts/validation/nearest-name.ts'
import type { Runs } from '../../../core/engine/runs/runs.ts'

/**
 * The runs of an experiment, or with tags, without archived ones, the oldest first.
 * @throws EspalierError `not_found` if there are none; `invalid_request` for more than a leaderboard holds
 */
export async function selectRuns(
  { listRuns, listExperiments }: { listRuns: Runs['list']; listExperiments: Runs['experiments'] },
  { experiment, tags }: Pick<LeaderboardRequest, 'experiment' | 'tags'>,
): Promise<Run[]> {
  const found: Run[] = []
  for (let after: string | undefined; ; ) {
    const page = await listRuns({ limit: 200, experiment, tag: tags, ...(after !== undefined && { after }) })
    found.push(...page.data)
    if (found.length > mostLeaderboardRuns) throw tooMany(experiment)
    if (!page.has_more || page.last_id === null) break
    after = page.last_id
  }
  if (found.length > 0) return found.toReversed()
  const known =
    experiment === undefined ? [] : (await listExperiments({ limit: 200 })).data.map(({ id }) => id)
  const [param, what] =
    experiment === undefined
      ? ['tags', 'No run has these tags']
      : [
          'experiment',
          `No run belongs to the experiment "${experiment}"${tags === undefined ? '' : ' and has these tags'}`,
        ]
  throw new EspalierError(
    'not_found',
    `${what}, archived ones left out.${didYouMean(experiment, known)} List the experiments to find its name.`,
    {
      param,
    },
  )
}

function tooMany(experiment: string | undefined): EspalierError {
  const [param, whole] =
    experiment === undefined
      ? ['tags', 'These tags have']
      : ['experiment', `The experiment "${experiment}" has`]
  return new EspalierError(
    'invalid_request',
    `${whole} more than ${mostLeaderboardRuns} runs, which is the most that a leaderboard holds. Narrow it by tags, archive some, or name the runs.`,
    { param },
  )
}
