import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowExample } from '../../../functions/api/openapi/trajectory-examples.ts'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { TenantLimits } from '../../../shared/core/contracts/tenant-limits.ts'
import { buildNow } from '../../data/datasets/open-test-datasets.ts'
import { loopRequest } from '../../learn/loops/drive-loop.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import {
  expectUnknown,
  expectUnknownRunOf,
  expectUnknownSource,
  type OwnedObject,
  owns,
} from './expect-unknown.ts'
import { type Member, memberOf, openWholeApi } from './open-whole-api.ts'
import { type Kind, kinds, requests, unknown } from './tenant-requests.ts'

const step = fc.record({
  tenant: fc.nat(2),
  action: fc.oneof(
    { weight: 3, arbitrary: fc.constant('create run' as const) },
    { weight: 2, arbitrary: fc.constant('create import' as const) },
    { weight: 3, arbitrary: fc.constant('create dataset' as const) },
    { weight: 1, arbitrary: fc.constant('create loop' as const) },
    { weight: 1, arbitrary: fc.constant('create key' as const) },
    { weight: 2, arbitrary: fc.constant('list' as const) },
    { weight: 2, arbitrary: fc.constant('limits' as const) },
    { weight: 1, arbitrary: fc.constant('raise limits' as const) },
    { weight: 6, arbitrary: fc.constant('request' as const) },
    { weight: 2, arbitrary: fc.constant('compare' as const) },
    { weight: 2, arbitrary: fc.constant('success rates' as const) },
  ),
  kind: fc.constantFrom(...kinds),
  which: fc.nat(1000),
  target: fc.nat(1000),
  idempotencyKey: fc.constantFrom('a', 'b', undefined),
})

/** What comes before the random part: everyone has one of each. */
const everyone = (
  ['create run', 'create import', 'create dataset', 'create loop', 'create key'] as const
).flatMap((action) =>
  [0, 1, 2].map((tenant) => ({
    tenant,
    action,
    kind: 'run' as const,
    which: tenant,
    target: tenant,
    idempotencyKey: undefined,
  })),
)

test('no request reaches the things of another tenant, whatever tenants do', async () => {
  const { app, tenants, engine } = await openWholeApi()
  let cases = 0

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      cases += 1
      const names = [0, 1, 2].map((index) => `tenant-${cases}-${index}`)
      const members = await Promise.all(names.map((name) => memberOf(app, tenants, name)))
      const things: Record<Kind, OwnedObject[]> = { run: [], import: [], dataset: [], loop: [], key: [] }
      const byIdempotencyKey = new Map<string, string>()
      const limits = await Promise.all(
        names.map((each, index) =>
          tenants.limits.set(each, { cost: 100 + index, tokens: 1_000_000 + index }),
        ),
      )
      /** Whether it is new: the key of another tenant must not have led to that tenant's thing. */
      const comesFirst = (
        kind: Kind,
        thing: OwnedObject,
        named: string,
        idempotencyKey?: string,
      ): boolean => {
        const earlier = idempotencyKey === undefined ? undefined : byIdempotencyKey.get(named)
        if (earlier !== undefined) {
          expect(thing.id).toBe(earlier)
          return false
        }
        expect(things[kind].map(({ id }) => id)).not.toContain(thing.id)
        things[kind].push(thing)
        byIdempotencyKey.set(named, thing.id)
        return true
      }
      const pick = (kind: Kind, at: number): OwnedObject =>
        things[kind][at % (things[kind].length + 1)] ?? { id: unknown[kind], tenant: -1 }

      for (const { tenant, action, kind, which, target, idempotencyKey } of [...everyone, ...steps]) {
        const member = members[tenant] as Member
        const name = names[tenant] as string
        const idempotency = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
        switch (action) {
          case 'create run': {
            const answer = await member('POST', '/v1/runs', runOf(name), idempotency)
            expect(answer.status).toBe(201)
            const { id } = answer.json<{ id: string }>()
            const isNew = comesFirst('run', { id, tenant }, `run ${name} ${idempotencyKey}`, idempotencyKey)
            if (isNew) {
              await untilStatus({ runs: engine.tenants.of(name) }, id, 'succeeded')
            }
            break
          }
          case 'create import': {
            const path = `/v1/trajectories?${new URLSearchParams({ format: 'agenttraj', reward: '1', name: `secret of ${name}` })}`
            const answer = await member('POST', path, rowExample, idempotency)
            expect(answer.status).toBe(201)
            const { id } = answer.json<{ id: string }>()
            comesFirst('import', { id, tenant }, `import ${name} ${idempotencyKey}`, idempotencyKey)
            break
          }
          case 'create dataset': {
            const sources = {
              runs: [pick('run', which).id],
              trajectories: [pick('import', which).id],
              experts: [pick(target % 2 === 0 ? 'run' : 'import', target).id],
            }
            const all = Object.values(sources).flat()
            if (new Set(all).size < all.length) sources.experts = []
            const owned = [...things.run, ...things.import]
            const isOwn = Object.values(sources).every((ids) => ids.every((id) => owns(owned, id, tenant)))
            const body = { ...sources, kind: 'preference', format: 'trl' }
            const preview = await member('POST', '/v1/datasets?dry_run=true', body)
            if (isOwn) expect(preview.json()).toMatchObject({ object: 'dataset_preview', complete: true })
            else expectUnknownSource(preview, sources, owned, tenant)
            const answer = await member('POST', '/v1/datasets', body)
            if (isOwn) {
              expect(answer.status).toBe(201)
              const { id } = answer.json<{ id: string }>()
              things.dataset.push({ id, tenant })
              await buildNow(tenants.datasets, id)
              expect((await member('GET', `/v1/datasets/${id}`)).json()).toMatchObject({
                status: 'succeeded',
              })
            } else expectUnknownSource(answer, sources, owned, tenant)
            break
          }
          case 'create loop': {
            const body = { ...loopRequest(), name: `secret of ${name}` }
            const answer = await member('POST', '/v1/loops', body, idempotency)
            expect(answer.status).toBe(201)
            const { id } = answer.json<{ id: string }>()
            comesFirst('loop', { id, tenant }, `loop ${name} ${idempotencyKey}`, idempotencyKey)
            break
          }
          case 'create key': {
            const answer = await member('POST', '/v1/keys', { name: `of ${name}`, scopes: ['runs:read'] })
            expect(answer.status).toBe(201)
            things.key.push({ id: answer.json<{ id: string }>().id, tenant })
            break
          }
          case 'list': {
            const answer = await member('GET', `${lists[kind]}?limit=1000`)
            const listed = answer.json<{ data: { id: string; name?: string }[] }>().data
            const own = things[kind].filter((thing) => thing.tenant === tenant).map(({ id }) => id)
            const shown = listed.filter((item) => item.name !== 'admin').map(({ id }) => id)
            expect(shown.toSorted()).toEqual(own.toSorted())
            break
          }
          case 'limits': {
            const answer = await member('GET', '/v1/limits')
            expect(answer.json()).toEqual({ ...limits[tenant], used: expect.anything() })
            break
          }
          case 'raise limits': {
            const answer = await member('PUT', '/v1/limits', { tokens: null, cost: null })
            expect(answer.json<ErrorBody>().error.code).toBe('not_operator')
            expect(await tenants.limits.get(name)).toEqual({ ...limits[tenant], used: expect.anything() })
            break
          }
          case 'compare': {
            const runs = [pick('run', which).id, pick('run', target).id]
            const foreign = runs.findIndex((id) => !owns(things.run, id, tenant))
            const answer = await member('POST', '/v1/reports/compare', { runs })
            if (foreign === -1) expect(answer.status).toBe(200)
            else expectUnknownRunOf(answer, runs, things.run, tenant)
            break
          }
          case 'success rates': {
            const runs = [pick('run', which).id, pick('run', target).id]
            const foreign = runs.findIndex((id) => !owns(things.run, id, tenant))
            const answer = await member('GET', `/v1/reports/success?runs=${runs.join(',')}`)
            if (foreign === -1) expect(answer.status).toBe(200)
            else expectUnknownRunOf(answer, runs, things.run, tenant)
            break
          }
          case 'request': {
            const thing = pick(kind, target)
            const [method = '', path = ''] = requests[kind][which % requests[kind].length] ?? []
            const answer = await member(method, path.replace('ID', thing.id))
            if (thing.tenant !== tenant) expectUnknown(answer, kind, thing.id, kind)
            else {
              // 400: a run is extended by nothing, and an empty body adds no rows.
              expect([200, 307, 400, 409]).toContain(answer.status)
              if (kind === 'key') things.key = things.key.filter(({ id }) => id !== thing.id)
            }
            break
          }
        }
      }
      // What is left is still its owner's, and no other tenant has changed it.
      const used = [0, 0, 0]
      for (const { id, tenant } of things.run) {
        const answer = await (members[tenant] as Member)('GET', `/v1/runs/${id}`)
        const run = answer.json<Run>()
        expect(run).toMatchObject({ id, request: { name: `secret of ${names[tenant]}` } })
        used[tenant] = (used[tenant] ?? 0) + run.usage.input_tokens + run.usage.output_tokens
      }
      // No tenant's runs are on another's bill.
      for (const [tenant, member] of members.entries()) {
        const spent = async () => (await member('GET', '/v1/limits')).json<TenantLimits>().used.tokens
        await expect.poll(spent).toBe(used[tenant])
      }
    }),
    { numRuns: 25 },
  )
  expect(engine.errors).toEqual([])
})

test('a signed address gives one file away and no other', async () => {
  const { app, tenants, engine } = await openWholeApi()
  const member = await memberOf(app, tenants, 'acme')
  const rival = await memberOf(app, tenants, 'rival')
  const runs: string[] = []
  for (const [each, name] of [
    [member, 'acme'],
    [rival, 'rival'],
  ] as const) {
    const { id } = (await each('POST', '/v1/runs', runOf(name))).json<{ id: string }>()
    await untilStatus({ runs: engine.tenants.of(name) }, id, 'succeeded')
    runs.push(id)
  }
  const [own = '', others = ''] = runs
  const { location } = await member('GET', `/v1/runs/${own}/episodes/ep-0000000/tree`)
  expect((await app.request(location ?? '')).status).toBe(200)
  expect((await app.request((location ?? '').replaceAll(own, others))).status).toBe(403)
})

function runOf(tenant: string) {
  const { environment, method, model } = toRequest()
  return { environment, method, model, name: `secret of ${tenant}`, tasks: { ids: ['task-0'] } }
}

const lists: Record<Kind, string> = {
  run: '/v1/runs',
  import: '/v1/trajectories',
  dataset: '/v1/datasets',
  loop: '/v1/loops',
  key: '/v1/keys',
}
