import { differences } from './compare.ts'
import { normalValue } from './normal-value.ts'
import { type NormalizeRules, normalizeList } from './normalize.ts'
import type { ResponseCheck } from './verified-task.ts'

export function responseFaults(
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

export function readAgentResponse(response: string): Record<string, unknown> | null {
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
