import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { projectRoot } from '../../infra/bundling.ts'
import { type Resource, synthesise } from './synthesise.ts'

interface Specification {
  schema: {
    resource: {
      entities: {
        cloudFormationType: string
        properties: Record<string, { causesReplacement?: 'yes' | 'no' | 'maybe' }>
      }[]
    }
  }
}

const changes = {
  none: {},
  mail: { mail: 'someone@example.com', maxWorkers: '4', trainings: 'true' },
  'another mail': { mail: 'another@example.com', maxWorkers: '9', workers: 'fargate', cloudfront: 'false' },
  'a network': {
    vpc: 'vpc-0a1b2c3d',
    subnets: 'subnet-0a1b2c3d,subnet-4e5f6a7b',
    privateSubnets: 'true',
    maxWorkers: '4',
    trainings: 'true',
    quota: '10',
    budget: '7',
  },
  'images and data': {
    images: 'ghcr.io/acme/espalier-{image}:1.2',
    buildInAccount: 'true',
    bucket: 'the-bucket',
    table: 'the-table',
    maxWorkers: '4',
    dashboard: 'false',
  },
  'neither hosts nor pages': { hosts: 'false', web: 'false', protect: 'true' },
}

/** The names that a resource itself has, such as `FunctionName` of a function. */
function namesOf({ Type, Properties }: Pick<Resource, 'Type' | 'Properties'>): string[] {
  const kind = String(Type.split('::')[2])
  const isName = (property: string) => property.endsWith('Name') && kind.endsWith(property.slice(0, -4))
  const levels = [Properties, ...Object.values(Properties).filter((value) => isObject(value))]
  return levels.flatMap((level) =>
    Object.entries(level).flatMap(([property, value]) =>
      isName(property) && value !== undefined ? [`${Type} ${property} ${JSON.stringify(value)}`] : [],
    ),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

test('no change of settings makes CloudFormation create a second resource of the same name', async () => {
  const file = await readFile(join(projectRoot, 'node_modules', 'aws-cdk', 'db.json.gz'))
  const { schema }: Specification = JSON.parse(gunzipSync(file).toString('utf8'))
  const specified = new Map(
    schema.resource.entities.map(({ cloudFormationType, properties }) => [cloudFormationType, properties]),
  )
  const replaces = (type: string, property: string) =>
    ['yes', 'maybe'].includes(specified.get(type)?.[property]?.causesReplacement ?? 'no')
  const stages = await Promise.all(Object.values(changes).map((settings) => synthesise(settings)))
  const clashes = stages.flatMap((before) =>
    stages.flatMap((after) => {
      const owners = new Map(before.resources.flatMap((each) => namesOf(each).map((name) => [name, each])))
      return after.resources.flatMap((resource) =>
        namesOf(resource).flatMap((name) => {
          const earlier = owners.get(name)
          if (earlier === undefined) return []
          if (earlier.id !== resource.id) return [`${name}: ${earlier.id}, then ${resource.id}`]
          const [old, young] = [earlier.Properties, resource.Properties]
          return Object.keys({ ...old, ...young })
            .filter((property) => replaces(resource.Type, property))
            .filter((property) => JSON.stringify(old[property]) !== JSON.stringify(young[property]))
            .map((property) => `${name}: ${property} changes`)
        }),
      )
    }),
  )
  expect(specified.size).toBeGreaterThan(500)
  expect([...new Set(clashes)]).toEqual([])
})

test('the name of the budget holds no address', async () => {
  const [budget] = (await synthesise(changes.mail)).ofType('AWS::Budgets::Budget')
  const named = JSON.stringify(budget?.Properties.Budget)
  expect(named).toMatch(/"espalier-dev-",\{"Ref":"AWS::Region"\},"-[0-9a-f]{8}"/)
})
