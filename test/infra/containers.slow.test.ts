import { describe, expect, test } from 'vitest'
import { assumptions } from '../../bench/cost/assumptions.ts'
import { pageRoutes, publicPaths } from '../../infra/api.ts'
import { shareConcurrency } from '../../infra/concurrency.ts'
import { memoryVariable } from '../../shared/core/programs/available-memory.ts'
import { type Resource, type Synthesised, synthesise } from './synthesise.ts'

interface Container {
  Name: string
  Memory?: number
  Environment: { Name: string; Value: unknown }[]
}

const withWorkers = () => synthesise({ maxWorkers: '4', workers: 'fargate' })

function containersOf({ Properties }: Resource): Container[] {
  return Properties.ContainerDefinitions as Container[]
}

function variablesOf({ Environment }: Container): Record<string, unknown> {
  return Object.fromEntries(Environment.map(({ Name, Value }) => [Name, Value]))
}

test('every container has a memory limit within its task, and knows it', async () => {
  const tasks = (await withWorkers()).ofType('AWS::ECS::TaskDefinition')
  expect(tasks.length).toBeGreaterThan(3)
  for (const task of tasks) {
    const containers = containersOf(task)
    for (const container of containers) {
      expect(container.Memory, `${task.id} ${container.Name}`).toBeGreaterThan(0)
      expect(variablesOf(container)[memoryVariable]).toBe(String(container.Memory))
    }
    const together = containers.reduce((all, { Memory = 0 }) => all + Memory, 0)
    expect(together).toBeLessThanOrEqual(Number(task.Properties.Memory))
  }
})

test('a stage of built images builds none, and may pull those of ECR alone', async () => {
  const ecr = '123456789012.dkr.ecr.us-east-1.amazonaws.com/espalier-{image}:1'
  const stage = await synthesise({ maxWorkers: '4', images: ecr })
  const tasks = stage.ofType('AWS::ECS::TaskDefinition')
  const images = tasks
    .flatMap(containersOf)
    .map((container) => JSON.stringify((container as { Image?: unknown }).Image))
  expect(images.length).toBeGreaterThan(3)
  for (const image of images) expect(image).toMatch(/espalier-[a-z-]+:1/)
  expect(images.filter((image) => image.includes('espalier-worker:1'))).toHaveLength(1)
  expect(JSON.stringify(stage.ofType('AWS::IAM::Policy'))).toContain('repository/espalier-env-host')
  const elsewhere = await synthesise({ images: 'ghcr.io/acme/espalier-{image}:1.2' })
  expect(JSON.stringify(elsewhere.ofType('AWS::ECS::TaskDefinition'))).toContain(
    '"ghcr.io/acme/espalier-env-host:1.2"',
  )
})

describe('metrics', () => {
  function metricsOf(stage: Synthesised) {
    return stage.ofType('AWS::CloudWatch::Alarm').flatMap(({ id, Properties }) => {
      const one = Properties as { MetricName?: string; Namespace?: string; Dimensions?: unknown[] }
      const inside = (Properties.Metrics ?? []) as { MetricStat?: { Metric: typeof one } }[]
      const all = [one, ...inside.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []))]
      return all.filter(({ MetricName }) => MetricName !== undefined).map((metric) => ({ id, ...metric }))
    })
  }

  test('no alarm counts what another stage did', async () => {
    const metrics = metricsOf(await withWorkers())
    expect(metrics.length).toBeGreaterThan(20)
    for (const { id, Namespace = '', Dimensions = [] } of metrics) {
      const named = JSON.stringify(Dimensions)
      if (Namespace === 'Espalier') expect(named, id).toContain('{"Name":"stage","Value":"dev"}')
      // A resource of the stage: by reference, or by a name that begins with the stage's.
      else expect(named, id).toMatch(/"(Ref|Fn::GetAtt|Fn::ImportValue)"|espalier-dev/)
    }
  })

  test('functions, workers and hosts know the stage under which they publish', async () => {
    const stage = await withWorkers()
    for (const { id, Properties } of stage.ofType('AWS::Lambda::Function')) {
      const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> }
      expect(Variables?.ESPALIER_STAGE, id).toBe('dev')
    }
    for (const task of stage.ofType('AWS::ECS::TaskDefinition')) {
      for (const container of containersOf(task))
        expect(variablesOf(container).ESPALIER_STAGE, task.id).toBe('dev')
    }
    const [dashboard] = stage.ofType('AWS::CloudWatch::Dashboard')
    const own = [...JSON.stringify(dashboard?.Properties).matchAll(/Espalier\\+",[^{]*/g)]
    expect(own.length).toBeGreaterThan(3)
    for (const [metric] of own) expect(metric).toMatch(/stage\\+",\\+"dev/)
  })
})

describe('routes', () => {
  interface Throttle {
    ThrottlingRateLimit: number
    ThrottlingBurstLimit: number
  }

  async function throttles() {
    const stage = await withWorkers()
    const [opened] = stage.ofType('AWS::ApiGatewayV2::Stage')
    if (opened === undefined) throw new Error('There is no stage of the API.')
    const usual = opened.Properties.DefaultRouteSettings as Throttle
    const own = opened.Properties.RouteSettings as Record<string, Throttle>
    const routes = stage.ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties)
    return { usual, own, routes }
  }

  test('a route without a key has a budget of its own, far below that of those with one', async () => {
    const { usual, own, routes } = await throttles()
    const open = routes.filter(({ AuthorizationType }) => AuthorizationType !== 'CUSTOM')
    expect(open.length).toBeGreaterThan(3)
    for (const { RouteKey } of open) {
      const throttle = own[String(RouteKey)]
      expect(throttle, String(RouteKey)).toBeDefined()
      expect(throttle?.ThrottlingRateLimit).toBeLessThanOrEqual(usual.ThrottlingRateLimit / 20)
    }
    const together = open.map(({ RouteKey }) => own[String(RouteKey)]?.ThrottlingRateLimit ?? 0)
    expect(together.reduce((all, rate) => all + rate, 0)).toBeLessThan(usual.ThrottlingRateLimit / 5)
  })

  test('docs/cost.md computes with these limits', async () => {
    const { usual } = await throttles()
    const { open } = shareConcurrency(50, null, true)
    const of = (kind: 'short' | 'files') => open[kind].rate * publicPaths[kind].length
    expect(assumptions.flood.rates.pages).toBe(open.pages.rate * pageRoutes.length)
    expect(assumptions.flood.rates.short).toBeCloseTo(of('short'))
    expect(assumptions.flood.rates.files).toBeCloseTo(of('files'))
    expect(assumptions.flood.rates.keyed).toBe(usual.ThrottlingRateLimit)
  })

  test('all others ask the authorizer, whose answers are cached', async () => {
    const { routes } = await throttles()
    expect(routes.map(({ RouteKey }) => RouteKey)).toContain('ANY /{path+}')
    const [authorizer] = (await withWorkers()).ofType('AWS::ApiGatewayV2::Authorizer')
    expect(authorizer?.Properties).toMatchObject({
      AuthorizerResultTtlInSeconds: 60,
      IdentitySource: ['$request.header.Authorization'],
    })
  })
})
