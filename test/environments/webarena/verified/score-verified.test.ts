import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networkEventSchema } from '../../../../shared/environments/webarena/verified/network-trace.ts'
import { scoreVerified } from '../../../../shared/environments/webarena/verified/score-verified.ts'
import { verifiedTaskSchema } from '../../../../shared/environments/webarena/verified/verified-task.ts'
import { ownSites, type VerifiedCase, verifiedCases } from './verified-cases.ts'

function scoreOf({ task, response, entries }: Pick<VerifiedCase, 'task' | 'response' | 'entries'>) {
  const events = entries.map((entry) => networkEventSchema.parse(entry))
  return scoreVerified(verifiedTaskSchema.parse(task), { response, events, sites: ownSites })
}

describe('WebArena-Verified', () => {
  test.each(verifiedCases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    const { score, checks } = scoreOf(each)
    expect([score, checks.flatMap(({ faults }) => faults)]).toEqual([
      each.score,
      each.score === 1 ? [] : expect.arrayContaining([expect.any(String)]),
    ])
  })

  test('scores whatever an agent answers', () => {
    const [{ task, entries }] = verifiedCases as readonly [VerifiedCase]
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (response) => {
        expect([0, 1]).toContain(scoreOf({ task, entries, response }).score)
      }),
    )
  })

  test('scores whatever values an agent retrieves, in every format', () => {
    fc.assert(
      fc.property(fc.constantFrom(...verifiedCases.slice(0, 80)), fc.jsonValue(), (each, value) => {
        const response = JSON.stringify({ task_type: 'RETRIEVE', status: 'SUCCESS', retrieved_data: [value] })
        expect([0, 1]).toContain(scoreOf({ ...each, response }).score)
      }),
    )
  })

  test('refuses to score a task whose expected value is not of its format', () => {
    const [first] = verifiedCases
    const wrong = structuredClone(first?.task) as { eval: { results_schema: { items: object } }[] }
    for (const check of wrong.eval) check.results_schema.items = { format: 'date' }
    expect(() => scoreOf({ ...(first as VerifiedCase), task: wrong as never })).toThrow(
      expect.objectContaining({
        code: 'environment_failed',
        message: expect.stringContaining('cannot be scored'),
      }),
    )
  })
})
