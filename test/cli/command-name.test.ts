import { expect, test } from 'vitest'
import { nextCommand } from '../../cli/command-name.ts'
import { defaultFolder } from '../../cli/global-options.ts'
import { recordingTerminal } from './recording-terminal.ts'

test.each([
  ['of an installed command', {}, 'espalier'],
  ['of npx', { npm_lifecycle_event: 'npx', npm_package_name: 'mine' }, 'npx espalier'],
  [
    'of a script of this repository',
    { npm_lifecycle_event: 'espalier', npm_package_name: 'espalier' },
    'npm run -s espalier --',
  ],
  [
    'of a script of another package',
    { npm_lifecycle_event: 'start', npm_package_name: 'mine' },
    'npx espalier',
  ],
])('what comes next is typed in the way %s', (_name, environment, command) => {
  const terminal = { ...recordingTerminal(), environment }
  expect(nextCommand(terminal, { folder: defaultFolder, json: false }, 'runs')).toBe(`${command} runs`)
})
