import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildApp } from '../../infra/build-app.ts'
import { destroy } from '../../infra/commands/destroy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTools } from './recording-tools.ts'

test('a stage is taken away from a checkout whose dashboard is not built', async () => {
  const pages = join(await temporaryFolder(), 'not-built')
  await expect(buildApp({ context: { stage: 'dev' }, pages })).rejects.toThrow(/dashboard is not built/)
  const imageBuilds = async () => ({ project: 'espalier-dev-images', repository: 'the-repository' })
  const { tools, did } = recordingTools({ account: { imageBuilds } })
  await destroy(['--stage', 'dev', '--delete-data', '--yes'], tools)
  const calls = did.filter((line) => line.startsWith('cdk destroy '))
  expect(calls).toHaveLength(3)
  for (const call of calls) {
    const context = Object.fromEntries(
      [...call.matchAll(/-c (\w+)=(\w+)/g)].map(([, name, value]) => [name, value]),
    )
    // The CDK bundles nothing to delete a stack.
    const { node } = await buildApp({ context: { ...context, 'aws:cdk:bundling-stacks': [] }, pages })
    expect(node.children.map(({ node: { id } }) => id)).toContain(call.split(' ')[2])
  }
})
