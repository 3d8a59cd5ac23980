import type { DatasetRequest } from '../../../core/contracts/dataset.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Plan, PlannedTask } from '../build/plan.ts'
import { planDataset } from '../build/plan-dataset.ts'
import type { ListedAttempt, OpenAttempts } from '../open-attempts.ts'
import type { SplitsOf } from '../splits-of.ts'

/** Maximum attempts of one task: enough for pairs, few enough that other tasks are read too. */
const mostOfTask = 20
/** Maximum number of listed episodes of all sources together, to find those that played the same tasks. */
const mostListed = 1000
const mostSources = 20

export interface FirstTasks {
  plan: Plan
  tasks: PlannedTask[]
  listed: number
  complete: boolean
  warnings: string[]
}

export async function firstTasks(
  request: DatasetRequest,
  needs: { attempts: OpenAttempts; splitsOf: SplitsOf },
): Promise<FirstTasks> {
  const sources = [...request.runs, ...request.trajectories, ...request.experts]
  const looked = new Set(sources.slice(0, mostSources))
  const mostOfSource = Math.ceil(mostListed / Math.max(1, looked.size))
  let listed = 0
  let complete = looked.size === sources.length
  const planned: PlannedTask[] = []

  async function* first(all: AsyncIterable<ListedAttempt | LeftOutReason>) {
    let count = 0
    for await (const each of all) {
      if (count === mostOfSource) {
        complete = false
        return
      }
      count += 1
      listed += 1
      yield each
    }
  }

  const plan = await planDataset(
    {
      ...request,
      runs: request.runs.filter((id) => looked.has(id)),
      trajectories: request.trajectories.filter((id) => looked.has(id)),
      experts: request.experts.filter((id) => looked.has(id)),
    },
    {
      splitsOf: needs.splitsOf,
      attempts: { ...needs.attempts, list: (source) => first(needs.attempts.list(source)) },
      store: async (_, tasks) => {
        planned.push(...tasks)
      },
    },
  )
  const tasks = planned.map((task) => ({
    ...task,
    attempts: task.attempts.slice(0, mostOfTask),
    experts: task.experts.slice(0, mostOfTask),
  }))
  const count = (of: PlannedTask[]) =>
    of.reduce((sum, { attempts, experts }) => sum + attempts.length + experts.length, 0)
  return {
    plan,
    tasks,
    listed,
    complete: complete && count(tasks) === count(planned),
    warnings: [
      ...plan.warnings,
      ...(looked.size < sources.length ? [`Only the first ${mostSources} sources were looked at.`] : []),
    ],
  }
}
