import { expect, test } from 'vitest'
import { sitesDefinition } from '../../../shared/environments/sites/definition.ts'
import { evaluationTimeLimit } from '../../../shared/environments/webarena/options.ts'

test('the three calls of a step outlast its action and its evaluation', async () => {
  const environment = await sitesDefinition.open(null)
  const within = 'host' in environment && environment.host.kind === 'image' && environment.host.answers_within
  expect(3000 * (within || 30)).toBeGreaterThan(60_000 + evaluationTimeLimit)
})
