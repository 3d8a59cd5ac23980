import { expect, test } from 'vitest'
import { formatMethod } from '../../cli/commands/methods.ts'
import { runCli } from '../../cli/run-cli.ts'
import type { MethodInfo } from '../../shared/core/contracts/catalogue.ts'
import { describeMethod } from '../../shared/play/methods/describe-method.ts'
import { builtinMethods, openMethods } from '../../shared/play/methods/methods.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(words: string[], columns = 100) {
  const terminal = recordingTerminal({ columns })
  const exitCode = await runCli([...words, '--folder', await temporaryFolder()], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('lists every method with its parameters and their defaults', async () => {
  const { exitCode, out } = await espalier(['methods'])
  expect(exitCode).toBe(0)
  for (const { id, description } of builtinMethods) {
    expect(out.replaceAll(/\n +/g, ' ')).toContain(`${id}: ${description}`)
  }
  expect(out).toContain('with value=none: value=none iterations=8 samples=4 max_depth exploration=0.25')
  expect(out).toContain(
    'with value=reward, judge, debate, single-debate, endpoint: value plan=per-step iterations=20',
  )
})

test('shows a method with both sets of its parameters, each with its own defaults', async () => {
  const { out } = await espalier(['methods', 'mcts'])
  const [first = '', second = ''] = out.split('Parameters with value=').slice(1)
  expect(first).toContain('--set iterations=8  (integer)\n      Number of descents from the root.')
  expect(first).not.toContain('plan=')
  expect(second).toContain('--set iterations=20  (integer)\n      Number of descents of each search.')
  expect(second).toContain('--set plan=per-step  (per-step, whole-task)')
  expect(second).toContain('--set value=…  (reward, judge, debate, single-debate, endpoint)')
  expect(out).toContain('asks beside the policy, as parameters decide: value, debate')
})

test('says of a method that learns what it leaves', async () => {
  const { out } = await espalier(['methods', 'rmcts'])
  expect(out).toContain('learns between tasks: its runs leave a memory for later ones')
  expect(out).toContain('value, debate, reflection, embedding (--role)')
  expect((await espalier(['methods', 'react'])).out).not.toContain('learns between tasks')
})

test('names the prompts, and with --prompts shows them in full', async () => {
  const [named, shown] = [
    await espalier(['methods', 'mcts']),
    await espalier(['methods', 'mcts', '--prompts']),
  ]
  expect(named.out).toContain('  judge-question: Asks the judge how far the agent has come.')
  expect(named.out).not.toContain('{{transcript}}')
  expect(shown.out).toContain('    {{transcript}}\n\n    {{checks}}')
  expect(shown.out).toContain('    Status code: <A, B, C, D or E>')
})

test('with --json gives what the service says', async () => {
  const { out } = await espalier(['methods', 'mcts', '--json'])
  expect(JSON.parse(out)).toEqual(describeMethod(openMethods().find('mcts')))
  expect(JSON.parse((await espalier(['methods', '--json'])).out).data).toHaveLength(builtinMethods.length)
})

test.each([60, 100])('fits %i columns', async (columns) => {
  for (const words of [['methods'], ...builtinMethods.map(({ id }) => ['methods', id])]) {
    const { out } = await espalier(words, columns)
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
  }
})

test('a method that there is not is refused with the choices', async () => {
  const { exitCode, notes } = await espalier(['methods', 'mtcs'])
  expect(exitCode).not.toBe(0)
  expect(notes).toContain('There is no method "mtcs". Did you mean "mcts"? Choose one of: ')
  expect((await espalier(['methods', '--prompts'])).notes).toContain('--prompts of which method?')
})

test('a list is said to be JSON', () => {
  const parameters = { properties: { train_ids: { type: 'array', description: 'Tasks.' } } }
  const method: MethodInfo = { ...describeMethod(openMethods().find('react')), parameters }
  expect(formatMethod(method, { width: 80, prompts: false })).toContain(
    `  --set train_ids=…  (a JSON list: '["a","b"]')`,
  )
})
