import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const example = join(import.meta.dirname, '../../examples/guess-number.ts')

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

describe('an environment that is named by its file', () => {
  it('is estimated, added to environments.json once, and listed without a service', async () => {
    const folder = await temporaryFolder()
    const words = ['run', '--environment', example, '--model', 'simulated', '--limit', '2', '--dry-run']
    const first = await espalier(...words, '--method', 'react', '--folder', folder)
    expect(first).toMatchObject({ exitCode: 0, notes: expect.stringContaining('guess-number was added to') })
    const second = await espalier(...words, '--method', 'react', '--folder', folder)
    expect(second).toMatchObject({ exitCode: 0, notes: expect.not.stringContaining('was added') })
    const { environments } = JSON.parse(await readFile(join(folder, 'environments.json'), 'utf8'))
    expect(environments).toEqual({
      'guess-number': { kind: 'module', file: expect.stringMatching(/examples\/guess-number\.ts$/) },
    })
    const listed = await espalier('environments', example, '--tasks', '--split', 'test', '--json')
    expect(JSON.parse(listed.out).data).toHaveLength(5)
  })

  it.each([
    [
      'nothing.ts',
      'export {}\n',
      /nothing\.ts exports no environment\. It exports nothing\..*guess-number\.ts/,
    ],
    ['half.ts', "export const half = { id: 'half', tasks: [] }\n", /"half" lacks describe, open\./],
    ['method.mjs', "export const m = { id: 'm', play() {} }\n", /Its export "m" is a method/],
    ['broken.mts', 'export const = 1\n', /broken\.mts cannot be loaded/],
    ['absent.js', null, /absent\.js cannot be loaded: there is no such file/],
    ['folder', null, /folder is a folder\. Name the file that exports the environment, such as \.\/mine\.ts/],
    ['no-such', null, /no-such is no module or Python file/],
  ])('%s is refused, with the way out', async (name, text, message) => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'folder'))
    if (text !== null) await writeFile(join(folder, name), text)
    const words = ['--environment', join(folder, name), '--method', 'react', '--model', 'simulated']
    const { exitCode, notes } = await espalier('run', ...words, '--folder', join(folder, 'data'))
    expect({ exitCode, notes }).toEqual({ exitCode: 2, notes: expect.stringMatching(message) })
  })
})
