import { Command } from 'commander'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { addGlobalOptions, chooseFolderOrService, type GlobalOptions } from '../../cli/global-options.ts'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from './recording-terminal.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The options of a command below the program, as each command reads them. */
function optionsOf(words: string[], variables: Record<string, string>): GlobalOptions {
  for (const name of ['ESPALIER_URL', 'ESPALIER_FOLDER']) vi.stubEnv(name, variables[name])
  let read: GlobalOptions | undefined
  const program = new Command('espalier').exitOverride().hook('preAction', chooseFolderOrService)
  addGlobalOptions(program)
  program.command('look').action((_: unknown, command: Command) => {
    read = command.optsWithGlobals<GlobalOptions>()
  })
  program.parse(['look', ...words], { from: 'user' })
  if (read === undefined) throw new Error('The command was not run.')
  return read
}

const url = 'http://127.0.0.1:9/'

describe('the place of a command', () => {
  const flags = [
    { words: [], from: null },
    { words: ['--folder', 'flagged'], from: 'folder' },
    { words: ['--service', 'http://127.0.0.1:7'], from: 'service' },
  ]
  const environments = [{}, { ESPALIER_URL: url }, { ESPALIER_FOLDER: 'usual' }].flatMap((one) => [
    one,
    { ...one, ESPALIER_FOLDER: 'usual' },
  ])
  it.each(flags.flatMap((flag) => environments.map((variables) => ({ ...flag, variables }))))(
    'a flag beats the environment: $words with $variables',
    ({ words, from, variables }) => {
      const { service, folder } = optionsOf(words, variables)
      const usual = 'ESPALIER_FOLDER' in variables ? 'usual' : '.espalier'
      if (from === 'folder') expect({ service, folder }).toEqual({ service: undefined, folder: 'flagged' })
      if (from === 'service') expect(service).toBe('http://127.0.0.1:7/')
      if (from === null)
        expect({ service, folder }).toEqual({
          service: 'ESPALIER_URL' in variables ? url : undefined,
          folder: usual,
        })
    },
  )

  it.each([
    ['--folder', 'a', '--service', 'localhost:1'],
    ['--service', 'localhost:1', '--folder', 'a'],
  ])('both flags are refused', (...words) => {
    expect(() => optionsOf(words, {})).toThrow('--folder and --service are two places')
  })

  it('an address of the environment that is none stops no command for a folder', () => {
    expect(optionsOf(['--folder', 'a'], { ESPALIER_URL: 'http://:x' }).service).toBeUndefined()
    expect(() => optionsOf([], { ESPALIER_URL: 'http://:x' })).toThrow('is not the address of a service')
  })
})

test('both flags end a real command as wrong usage, wherever they stand', async () => {
  const terminal = recordingTerminal()
  expect(await runCli(['--service', 'localhost:1', 'report', 'latest', '--folder', 'x'], terminal)).toBe(2)
  expect(terminal.notes).toEqual(['--folder and --service are two places: leave one out.'])
})
