import { EspalierError } from '../../../core/contracts/errors.ts'
import { type SiteAddressBook, type SiteName, siteNameSchema } from '../site-names.ts'
import { differences } from './compare.ts'
import type { NetworkEvent } from './network-trace.ts'
import { normalValue } from './normal-value.ts'
import { type NormalizeRules, normalizeList } from './normalize.ts'
import type { ToPlaceholders } from './plain-text.ts'
import { UnreadValueError } from './quantities.ts'
import { eventFaults } from './score-events.ts'
import type { ResponseCheck, VerifiedTask } from './verified-task.ts'

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

function responseFaults(
  { expected, ordered, results_schema }: ResponseCheck,
  response: string,
  { isRetrieval, rules }: { isRetrieval: boolean; rules: Omit<NormalizeRules, 'isStrict'> },
): string[] {
  const actual = readAgentResponse(response)
  if (actual === null) return ['the answer is no JSON object']
  const text = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? normalValue('string', value.trim(), rules) : null
  const wanted = { task_type: text(expected.task_type), status: text(expected.status) }
  const given = {
    task_type: text(actual.task_type ?? actual.performed_operation),
    status: text(actual.status),
  }
  // The benchmark's own evaluator accepts no answer then.
  const silent = Object.hasOwn(expected, 'retrieved_data') ? [] : ['the task states no retrieved_data']
  const faults = [...silent, ...differences(given, wanted, 'answer')]
  if (!isRetrieval) return faults
  const plain = { ...rules, fill: (address: string) => address }
  const list = (data: unknown, isStrict: boolean) => listOf(data, results_schema, { ...plain, isStrict })
  const wantedData = list(expected.retrieved_data, true)
  if (wantedData === null)
    return isEmpty(actual.retrieved_data) ? faults : [...faults, 'answer.retrieved_data was to be empty']
  const data = list(actual.retrieved_data, false)
  return [...faults, ...differences(data, wantedData, 'answer.retrieved_data', { isOrdered: ordered })]
}

function listOf(data: unknown, schema: ResponseCheck['results_schema'], rules: NormalizeRules) {
  return isEmpty(data) ? null : normalizeList(Array.isArray(data) ? data : [data], schema, rules)
}

function isEmpty(data: unknown): boolean {
  if (data === null || data === undefined || data === '') return true
  return typeof data === 'object' && Object.keys(data).length === 0
}

function readAgentResponse(response: string): Record<string, unknown> | null {
  const [, fenced] = /```(?:json)?\s*\n?(.*?)\n?```/s.exec(response) ?? []
  try {
    const value: unknown = JSON.parse((fenced ?? response).trim())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
