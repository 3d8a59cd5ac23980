import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBounds, refuseExcess } from '../../../functions/api/middleware/json-bounds.ts'
import { validRun } from './fake-answers.ts'
import { openTestApi, readError } from './open-test-api.ts'

const routes = [
  'POST /v1/runs',
  'POST /v1/runs?dry_run=true',
  'POST /v1/runs/run-1/extend',
  'POST /v1/runs/run-1/resume',
  'POST /v1/runs/run-1/cancel',
  'POST /v1/datasets',
  'POST /v1/datasets?dry_run=true',
  'POST /v1/reports/compare',
  'POST /v1/reports/curves',
  'POST /v1/trajectories',
  'POST /v1/keys',
  'PUT /v1/limits',
]
const fields = Array.from({ length: 400_000 }, (_, index) => `"field_${index}":1`).join(',')
const run = (more: string) => `${JSON.stringify(validRun).slice(0, -1)},${more}}`
const manyFields = 'an object with more than 5,000 fields'

const bodies: [string, string, string][] = [
  [
    '400,000 unknown fields',
    `{${fields}}`,
    `${manyFields}, which no request needs. It begins with "field_0", "field_1", "field_2".`,
  ],
  ['400,000 fields in one of its fields', run(`"metadata":{${fields}}`), manyFields],
  ['400,000 fields and no end', `{${fields}`, manyFields],
  ['the same field 400,000 times', `{${'"environment":"x",'.repeat(400_000)}"a":1}`, manyFields],
  [
    '400,000 entries',
    run(`"tasks":{"ids":[${'5,'.repeat(400_000)}5]}`),
    'an array with more than 50,000 entries',
  ],
  ['50,001 runs', `{"runs":[${'"r",'.repeat(50_000)}"r"]}`, 'an array with more than 50,000 entries'],
  [
    '300,000 small objects',
    `{"rows":[${'[[],{},[],{},[],{},[]],'.repeat(40_000)}1]}`,
    'more than 300,000 values',
  ],
  [
    'a million levels',
    `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`,
    'nested deeper than 64 levels',
  ],
  ['a million levels of arrays', '['.repeat(1_000_000), 'nested deeper than 64 levels'],
]

test.each(routes)('%s refuses what no request needs before it is checked field by field', async (route) => {
  const { app, services } = openTestApi()
  const [method = '', path = ''] = route.split(' ')
  for (const [what, body, says] of bodies) {
    const answer = await app.request(path, { method, headers: { 'Content-Type': 'application/json' }, body })
    const error = await readError(answer)
    expect([what, error.status, error.code]).toEqual([what, 400, 'invalid_request'])
    expect(error.message).toContain(says)
    expect(error.message.length).toBeLessThan(400)
  }
  expect(services.calls).toEqual([])
})

test('as many faults as a body may hold are counted no further than a thousand', async () => {
  const { post } = openTestApi()
  const wrongIds = { ...validRun, tasks: { ids: Array.from({ length: 50_000 }, () => 5) } }
  expect((await readError(await post('/v1/runs', wrongIds))).message).toContain('must be a string, not 5')
  const wrongRuns = { runs: Array.from({ length: 50_000 }, () => 5) }
  expect((await readError(await post('/v1/reports/compare', wrongRuns))).message).toContain(
    '"runs" must have at most 20 entries',
  )
  const unknown = `{${Array.from({ length: 4000 }, (_, index) => `"field_${index}":1`).join(',')}}`
  const error = await readError(await post('/v1/keys', unknown))
  expect(error).toMatchObject({ code: 'unknown_field', param: 'field_0' })
  expect(error.message).toContain('(More than 1000 fields need mending.)')
})

test('millions of escapes in a body that never ends are located without a crash', async () => {
  const { post } = openTestApi()
  const error = await readError(await post('/v1/runs', `{"a":"${'\\n'.repeat(3_500_000)}`))
  expect(error).toMatchObject({ status: 400, code: 'invalid_json' })
})

test('what is within the bounds is never refused, whatever its strings hold', () => {
  const texts = fc.oneof(
    fc.json({ maxDepth: 8 }),
    fc
      .string({ unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', ':', 'a', ' ') })
      .map((text) => JSON.stringify([text, { [text]: text }])),
  )
  fc.assert(
    fc.property(texts, (text) => {
      refuseExcess(Buffer.from(text))
    }),
  )
})

test('each bound is met exactly', () => {
  const { names, entries, ids, depth, values } = jsonBounds
  const numbers = (count: number) => `[${Array.from({ length: count }, () => '0').join(',')}]`
  const texts = (count: number) => `[${Array.from({ length: count }, () => '"t"').join(',')}]`
  const object = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":",{["`).join(',')}}`
  /** Ten lists in a list: as many values as asked for. */
  const lists = (count: number) => `[${Array.from({ length: 10 }, () => numbers(count / 10 - 1)).join(',')}]`
  const given: [string, string][] = [
    [object(names), object(names + 1)],
    [numbers(entries), numbers(entries + 1)],
    [`{"ids": ${texts(ids)}}`, `{"ids": ${texts(ids + 1)}}`],
    [`{"ids": ${numbers(entries)}}`, `{"ids": ${numbers(entries + 1)}}`],
    ['['.repeat(depth), '['.repeat(depth + 1)],
    [lists(values - 10), lists(values + 20)],
  ]
  for (const [taken, refused] of given) {
    expect(() => refuseExcess(Buffer.from(taken))).not.toThrow()
    expect(() => refuseExcess(Buffer.from(refused))).toThrow()
  }
})
