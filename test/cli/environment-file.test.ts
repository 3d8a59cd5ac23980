import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addEnvironmentFile } from '../../cli/environment-file.ts'
import type { GlobalOptions } from '../../cli/global-options.ts'
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

  it('is played by the Python that is named last, with the limits of its entry', async () => {
    const folder = await temporaryFolder()
    const written = { kind: 'program', step_time_limit: 7 }
    const path = join(folder, 'environments.json')
    const named = { id: 'mine', file: join(folder, 'mine.py') }
    const terminal = recordingTerminal()
    const options = { folder } as GlobalOptions
    const commandOf = (python: string) => [python, '-m', 'espalier.environments', 'mine.py']
    const environments = { mine: { ...written, command: commandOf('python3') } }
    await writeFile(path, JSON.stringify({ environments }))
    await addEnvironmentFile({ ...named, python: '/venv/bin/python' }, options, terminal)
    expect(JSON.parse(await readFile(path, 'utf8')).environments.mine).toEqual({
      ...written,
      command: commandOf('/venv/bin/python'),
    })
    expect(terminal.notes).toEqual([`mine is now played by /venv/bin/python: ${path}.`])
    const other = { ...named, file: join(folder, 'other.py'), python: 'python3' }
    await expect(addEnvironmentFile(other, options, terminal)).rejects.toThrow(
      'has another environment "mine"',
    )
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
