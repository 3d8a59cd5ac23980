import { expect, test } from 'vitest'
import { pythonWith } from '../support/python-venv.ts'
import { expectValidOnHost } from '../support/validate-on-host.ts'

test.each(['alfworld-textworld'])('%s passes the validator on its host', async (id) => {
  expect.hasAssertions()
  const python = await pythonWith('shared/environments/alfworld-textworld/host/requirements.txt')
  await expectValidOnHost(id, 'alfworld-textworld', python)
})
