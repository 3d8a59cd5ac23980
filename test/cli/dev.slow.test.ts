import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const example = join(import.meta.dirname, '../../examples/guess-number.ts')
const echo = (line: string) => `from espalier.environments import StepResult, Task, environment

@environment("echo", rules="Say: done", tasks=[Task("only")], default_max_steps=2)
def echo(task, seed):
    action = yield "Say something."
    while action != "done":
        ${line}
    yield StepResult("Well done.", reward=1, done=True)
`

// A watcher never sees a part of the text.
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

/** A terminal whose reader waits for a line that is printed after the last one it waited for. */
function watchedTerminal() {
  const terminal = recordingTerminal()
  const lines: string[] = []
  let wake: () => void = () => undefined
  const take = (text: string) => {
    lines.push(text)
    wake()
  }
  return {
    ...terminal,
    out: take,
    note: take,
    async until(text: string): Promise<string> {
      const read: string[] = []
      for (;;) {
        for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
          read.push(line)
          if (line.includes(text)) return read.join('\n')
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

test('a module is checked, played with the simulated model, and drawn', async () => {
  const terminal = recordingTerminal()
  expect(await runCli(['dev', example, '--once'], terminal)).toBe(0)
  const out = terminal.outs.join('\n')
  expect(out).toContain('guess-number holds in every check that was made.')
  expect(out).toMatch(/success rate[\s\S]*● #0 guess-/)
  expect(out).toContain(`${example} is fine.`)
})

test('what is wrong is shown with file and line, and the file is played again once it is mended', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'env.py')
  await writeFile(file, echo('action = yield ('))
  const terminal = watchedTerminal()
  const ended = runCli(['dev', file], terminal)
  expect(await terminal.until('Waiting')).toMatch(/SyntaxError: .*\(env\.py, line 7\)[\s\S]*check failed/)
  await replace(file, echo('raise ValueError("no way")'))
  expect(await terminal.until('Waiting')).toMatch(
    /ValueError: no way \(env\.py, line 7, in echo\)[\s\S]*check failed/,
  )
  await replace(file, echo('action = yield f"You said {action}."'))
  expect(await terminal.until('Waiting')).toContain(`${file} is fine.`)
  terminal.interrupt()
  expect(await ended).toBe(0)
})

test('scripts get one JSON document, and the exit code', async () => {
  const file = join(await temporaryFolder(), 'env.py')
  await writeFile(file, 'import nothing_of_this_name\n')
  const terminal = recordingTerminal()
  expect(await runCli(['dev', file, '--once', '--json'], terminal)).toBe(1)
  expect(JSON.parse(terminal.outs[0] ?? '')).toMatchObject({ file, ok: false, failed: 'check' })
  expect(terminal.notes.join('\n')).toMatch(/ModuleNotFoundError: .*\(env\.py, line 1, in <module>\)/)
})
