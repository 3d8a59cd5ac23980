import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { probeKey } from '../../functions/wiring/probe-key.ts'
import { projectRoot } from '../../infra/bundling.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { rightsOf } from './policies.ts'
import { synthesise } from './synthesise.ts'

/** Prefixes of keys below which a function may do the action. */
async function prefixesOf(name: string, action: string): Promise<string[]> {
  const allowed = rightsOf(await synthesise(), `espalier-dev-${name}`).filter(({ actions }) =>
    actions.includes(action),
  )
  const resources = JSON.stringify(allowed.map((statement) => statement.resources))
  return [...resources.matchAll(/\/([a-z]+)\/\*"/g)].map(([, prefix]) => String(prefix)).toSorted()
}

test('the API may write below every prefix of its keys, and below no other', async () => {
  const keys = Object.values(objectKeys).map((keyOf) =>
    (keyOf as (...given: string[]) => string)('one', 'two', 'three'),
  )
  // Requests for datasets and imported rows write below the other two.
  const written = [...keys, probeKey, 'datasets/', 'trajectories/'].map((key) => key.split('/')[0])
  expect(await prefixesOf('api', 's3:PutObject')).toEqual([...new Set(written)].toSorted())
})

test.each(['api', 'advance-episodes', 'build-dataset', 'sweep', 'dead-letters'])(
  'the guide names the objects that %s may read and write',
  async (name) => {
    const page = await readFile(join(projectRoot, 'docs', 'deploy.md'), 'utf8')
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
    const parts = String(row?.split('|')[3]).split(';')
    const named = (verb: RegExp) =>
      parts
        .filter((part) => verb.test(String(part.split('`')[0])))
        .flatMap((part) => [...part.matchAll(/`([a-z]+)`/g)].map(([, prefix]) => prefix))
        .toSorted()
    expect(named(/read/)).toEqual(await prefixesOf(name, 's3:GetObject'))
    expect(named(/write/)).toEqual(await prefixesOf(name, 's3:PutObject'))
  },
)
