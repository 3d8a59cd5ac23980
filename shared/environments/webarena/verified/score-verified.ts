import { EspalierError } from '../../../core/contracts/errors.ts'
import { type SiteAddressBook, type SiteName, siteNameSchema } from '../site-names.ts'
import type { NetworkEvent } from './network-trace.ts'
import type { ToPlaceholders } from './plain-text.ts'
import { UnreadValueError } from './quantities.ts'
import { eventFaults } from './score-events.ts'
import { responseFaults } from './score-response.ts'
import type { VerifiedTask } from './verified-task.ts'

// Names the rules by the version of the package that they follow. Change it with them.
export const verifiedRules = 'webarena-verified-1-2-3'

export interface VerifiedScore {
  score: 0 | 1
  checks: { evaluator: string; faults: string[] }[]
}

/**
 * Scores a task of WebArena-Verified from the agent's answer and the requests of its pages, as the benchmark's own
 * evaluators do.
 * @param sites the addresses that the trace has for the placeholders of the task
 * @throws EspalierError `environment_failed` if the task cannot be evaluated
 */
export function scoreVerified(
  task: VerifiedTask,
  { response, events, sites }: { response: string; events: readonly NetworkEvent[]; sites: SiteAddressBook },
): VerifiedScore {
  const rules = { ...addressesOfSites(task.sites, sites) }
  const kind = task.eval.find(({ evaluator }) => evaluator === 'AgentResponseEvaluator')?.expected
  const type = kind !== undefined && 'task_type' in kind ? kind.task_type : ''
  try {
    const checks = task.eval.map((check) => ({
      evaluator: check.evaluator,
      faults:
        check.evaluator === 'AgentResponseEvaluator'
          ? responseFaults(check, response, { isRetrieval: type === 'RETRIEVE', rules })
          : eventFaults(check, events, { isNavigate: type === 'NAVIGATE', rules }),
    }))
    return { score: checks.every(({ faults }) => faults.length === 0) ? 1 : 0, checks }
  } catch (error) {
    if (!(error instanceof UnreadValueError)) throw error
    throw new EspalierError(
      'environment_failed',
      `The task ${task.task_id} cannot be scored: ${error.message}.`,
      {
        cause: error,
      },
    )
  }
}

function addressesOfSites(
  names: readonly SiteName[],
  sites: SiteAddressBook,
): { fill(address: string): string; toPlaceholders: ToPlaceholders } {
  const known = siteNameSchema.options
    .filter((name) => names.includes(name))
    .flatMap((name): [string, string][] => {
      const address = sites[name]
      return address === undefined ? [] : [[`__${name.toUpperCase()}__`, address.replace(/\/+$/, '')]]
    })
  const longest = known.toSorted(([, one], [, other]) => other.length - one.length)
  return {
    fill(address) {
      const [name, real] = known.find(([each]) => address.startsWith(each)) ?? []
      return name === undefined || real === undefined ? address : address.replaceAll(name, real)
    },
    toPlaceholders(text) {
      const [name, real] = longest.find(([, each]) => text.includes(each)) ?? []
      return name === undefined || real === undefined ? text : text.replaceAll(real, name)
    },
  }
}
