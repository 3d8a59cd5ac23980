import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from './recording-terminal.ts'

const entry = join(import.meta.dirname, '../../cli/espalier.ts')
const commands = (await buildProgram(recordingTerminal())).commands.map((command) => command.name())

describe('the command line', () => {
  it('has the commands it should', () => {
    expect(commands.toSorted()).toEqual(
      'archive backup board bundle cancel compare curves data datasets delete dev doctor download endpoints environments exec experiments export extend import keys label leaderboard libraries limits loop loops mcp memories methods models pause presets quickstart report reproduce restore resume retry rollouts run runs score search serve show simulate sweep train trainers trainings trajectories unarchive verify watch worker workers'.split(
        ' ',
      ),
    )
  })

  it.each(commands)('%s --help shows an example and the global options', async (name) => {
    const terminal = recordingTerminal()
    expect(await runCli([name, '--help'], terminal)).toBe(0)
    const help = terminal.outs.join('\n')
    expect(help).toContain(`Example: espalier ${name}`)
    expect(help).toContain('--folder')
    expect(help).toContain('--json')
  })

  it.each([
    [['no-such-command'], "unknown command 'no-such-command'"],
    [['runs', '--limit', 'many'], "option '--limit <n>' argument 'many' is invalid"],
    [['runs', '--sort'], "unknown option '--sort'"],
    [['serve', '--port', '99999'], 'whole number from 0 to 65535'],
    [['simulate', '--port', '1.5'], 'whole number from 0 to 65535'],
    [['simulate', '--skill', '7'], 'number from 0 to 1.'],
    [['simulate', '--latency', '-5'], 'milliseconds from 0 to 600000'],
    [['simulate', '--latency-spread', '-5'], 'milliseconds from 0 to 600000'],
    [['simulate', '--seed', '1.5'], 'whole number from 0 to 2147483647'],
    [['serve', '--simulated-skill', '1.1'], 'number from 0 to 1.'],
    [['serve', '--simulated-latency', '-1'], 'milliseconds from 0 to 600000'],
    [['serve', '--simulated-seed', '-1'], 'whole number from 0 to 2147483647'],
    [['quickstart', '--skill', '-0.1'], 'number from 0 to 1.'],
    [['quickstart', '--latency', '600001'], 'milliseconds from 0 to 600000'],
    [['quickstart', '--tasks', '0'], 'whole number from 1 on'],
    [['quickstart', '--tasks', '2.5'], 'whole number from 1 on'],
    [['quickstart', '--max-cost', '0'], 'number above 0'],
    [['quickstart', '--max-tokens', '0.5'], 'whole number from 1 on'],
    [['reproduce', 'eto', '--parallel', '0'], 'whole number from 1 on'],
    [['watch'], "missing required argument 'run'"],
    [['run', '--method', 'react'], 'Give --environment'],
    [['run', '--file', '/nowhere/run.json'], '/nowhere/run.json cannot be read'],
    [['show', 'run-1', '--tree'], 'Which episode?'],
    [['environments', '--tasks'], 'Which environment?'],
    [['environments', 'install', 'dekstop'], 'Did you mean "desktop"?'],
    [['export', 'run-1', '--split', 'all'], 'Write train=0.9,validation=0.1.'],
    [['export', 'run-1', '--kind', 'dpo'], 'step-preference'],
    [['export', 'run-1', '--dataset', 'dataset-1'], '--dataset is built already'],
    [['datasets', '--rows', '3'], '--rows of which dataset?'],
    [['runs', '--service', 'http://:x'], 'is not the address of a service'],
  ])('%j is wrong usage and says why', async (words, message) => {
    const terminal = recordingTerminal()
    expect(await runCli(words, terminal)).toBe(2)
    expect(terminal.notes.join('\n')).toContain(message)
    expect(terminal.outs).toEqual([])
  })

  it.each([
    [['--json', 'no-such-command'], "unknown command 'no-such-command'"],
    [['runs', '--limit', 'many', '--json'], "option '--limit <n>' argument 'many' is invalid"],
  ])('%j is wrong usage as a document', async (words, message) => {
    const terminal = recordingTerminal()
    expect(await runCli(words, terminal)).toBe(2)
    expect(terminal.outs).toHaveLength(1)
    const { error } = JSON.parse(terminal.outs[0] ?? '')
    expect(error).toMatchObject({ code: 'wrong_usage', param: null })
    expect(error.message).toContain(message)
  })

  it.each(['runs', 'serve'])('%s says that the data folder is a file', async (command) => {
    const terminal = recordingTerminal()
    expect(await runCli([command, '--folder', entry], terminal)).toBe(1)
    expect(terminal.notes).toHaveLength(1)
    expect(terminal.notes[0]).toContain(`The data folder ${entry} is a file`)
  })

  it('says what to start when no service answers, with --json as a document too', async () => {
    const terminal = recordingTerminal()
    expect(await runCli(['runs', '--service', '127.0.0.1:1', '--json'], terminal)).toBe(1)
    expect(terminal.notes.join('\n')).toContain('espalier serve')
    expect(JSON.parse(terminal.outs.join('\n'))).toMatchObject({ error: { code: 'connection_failed' } })
  })

  it('hands its exit code to the shell, and prints no colours where there is no terminal', async () => {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [entry, '--help'])
    expect(stdout).toContain('Usage: espalier')
    expect(stdout).not.toContain('\u001b')
    await expect(run(process.execPath, [entry, 'watch'])).rejects.toMatchObject({ code: 2 })
  })
})
