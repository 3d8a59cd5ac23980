import { expect, test } from 'vitest'
import { checkRuntimes } from '../../cli/commands/doctor.ts'
import { programsFolder } from '../environments/runtimes/programs-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function check(programs: Record<string, string>, more: Record<string, string> = {}) {
  const variables = { PATH: await programsFolder(programs), ESPALIER_CACHE: await temporaryFolder(), ...more }
  const checks = await checkRuntimes(variables)
  for (const { status, action } of checks) expect(action === null).toBe(status === 'ok')
  return Object.fromEntries(checks.map((each) => [each.name, each]))
}

test('doctor warns for each missing program, with the command that installs it', async () => {
  const found = await check({}, { ESPALIER_CHROMIUM: '/nowhere/chromium' })
  expect(Object.values(found).map(({ status }) => status)).toEqual(['warn', 'warn', 'warn', 'warn'])
  expect(found.scienceworld?.message).toMatch(/cannot be played here.*Python.*Java/)
  expect(found.scienceworld?.action).toMatch(/apt-get install python3(.|\n)*openjdk-17/)
  expect(found['alfworld-textworld']?.action).toContain(
    'shared/environments/alfworld-textworld/host/requirements.txt',
  )
  expect(found.browsers?.message).toContain('/nowhere/chromium, which does not exist')
  expect(found.browsers?.action).toContain('apt install chromium')
  expect(found.desktops?.action).toContain('apt-get install --yes --no-install-recommends xvfb')
})

test('doctor says ok where the programs are', async () => {
  const found = await check({ python3: '', java: '' }, { ESPALIER_CHROMIUM: import.meta.filename })
  expect(found).toMatchObject({
    scienceworld: { status: 'ok' },
    'alfworld-textworld': { status: 'ok' },
    browsers: { status: 'ok' },
    desktops: { status: 'warn' },
  })
})
