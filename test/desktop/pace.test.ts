import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { openTaskProgram } from '../../shared/environments/desktop/host/task-program.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openFolderMachine } from './folder-machine.ts'

test('the fixed waits of steps are multiplied by the pace, and the rest of their programs stays', async () => {
  await installPythonEnvironment(desktopScoringPackages(process.env), () => undefined)
  const home = await temporaryFolder()
  const machine = await openFolderMachine(home)
  const program = openTaskProgram(() => undefined)
  onTestFinished(async () => {
    await program.stop()
    await machine.close()
  })
  const written = join(home, 'programs')
  const config = [
    { type: 'sleep', parameters: { seconds: 0.01 } },
    {
      type: 'execute',
      parameters: { command: `echo "time.sleep(0.5); sleep(3)" > ${written}`, shell: true },
    },
    {
      type: 'command',
      parameters: { command: ['sh', '-c', `echo "time.sleep(2) time.sleep(x)" >> ${written}`] },
    },
  ]
  const programs = async (pace?: number) => {
    await program.setUp({
      machine: machine.address,
      task: { id: 'a-task', config },
      files: {},
      cache: await temporaryFolder(),
      ...(pace !== undefined && { pace }),
    })
    return readFile(written, 'utf8')
  }
  expect(await programs()).toBe('time.sleep(0.5); sleep(3)\ntime.sleep(2) time.sleep(x)\n')
  expect(await programs(3)).toBe('time.sleep(1.5); sleep(3)\ntime.sleep(6) time.sleep(x)\n')
})

test.each(['slow', '0', '21', ''])('the pace "%s" is refused', (pace) => {
  expect(() => openTaskProgram(() => undefined, { ESPALIER_DESKTOP_PACE: pace })).toThrow(
    'Give a number from 1 to 20',
  )
})
