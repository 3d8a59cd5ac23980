import { expect, test } from 'vitest'
import { pythonWith } from '../support/python-venv.ts'
import { expectValidOnHost } from '../support/validate-on-host.ts'

test.each(['scienceworld', 'scienceworld-plain'])('%s passes the validator on its host', async (id) => {
  expect.hasAssertions()
  const python = await pythonWith('shared/environments/scienceworld/host/requirements.txt')
  await expectValidOnHost(id, 'scienceworld', python)
})
