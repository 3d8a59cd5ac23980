import fc from 'fast-check'
import { expect, test } from 'vitest'
import { servedHostVariables } from '../../cli/commands/environments.ts'
import { readHostSettings } from '../../containers/env-host/host-settings.ts'

const settingsOf = (untilInputEnds: boolean, variables: NodeJS.ProcessEnv) =>
  readHostSettings({
    ...variables,
    ...servedHostVariables({ port: 8090, program: ['./a.py', './b.py'], untilInputEnds }, variables),
  })

test('a host of another program outlives any idle time, unless the variable names one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.boolean(), (seconds, untilInputEnds) => {
      const asked = settingsOf(untilInputEnds, { ESPALIER_HOST_LEAVE_AFTER: String(seconds) })
      expect(asked.leaveAfter).toBe(seconds)
      expect(settingsOf(true, {}).leaveAfter).toBeGreaterThan(seconds)
    }),
  )
  expect(settingsOf(false, {})).toMatchObject({ leaveAfter: 3600, port: 8090 })
})

test('the files are served by the Python that a variable names', () => {
  const served = (python: string) =>
    ['./a.py', './b.py'].map((file) => [python, '-m', 'espalier.environments', file])
  expect(settingsOf(true, {}).programs).toEqual(served('python3'))
  expect(settingsOf(true, { ESPALIER_PYTHON: '/opt/python' }).programs).toEqual(served('/opt/python'))
})
