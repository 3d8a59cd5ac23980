import { type Command, InvalidArgumentError } from 'commander'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { ValidationCheck, ValidationReport } from '../../shared/core/contracts/validation-report.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError } from '../command-error.ts'
import { toLine } from '../fit-text.ts'
import { formatTable } from '../format-table.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'
import type { TargetOptions } from '../validation/open-targets.ts'

const columns = [{ header: 'check' }, { header: 'outcome' }, { header: 'what must hold', flexible: true }]
const colours = { passed: 'green', failed: 'red', skipped: 'dim' } as const

type ValidateOptions = TargetOptions & { tasks: number; steps: number; seed: number }

export function addValidateCommand(environments: Command, terminal: Terminal): void {
  environments
    .command('validate')
    .description('Play an environment, ours or yours, and check the guarantees that runs rely on.')
    .argument('<what>', 'an id; a module, such as ./my-game.ts; or the http address of a host')
    .option('--environment <id>', 'only this environment of the module or host')
    .option('--tasks <n>', 'number of tasks to play', parseCount, 5)
    .option('--steps <n>', 'maximum number of steps in each task', parseCount, 20)
    .option('--seed <n>', 'seed of the choice of tasks and actions, and of resets', parseSeed, 0)
    .option('--data <pack>', 'a data pack by name or digest, or builtin (default: the one added last)')
    .addOption(
      choiceOption('--hosting <where>', 'worker: in this process if possible; host: on a host', [
        'worker',
        'host',
      ]),
    )
    .addHelpText(
      'after',
      [
        '',
        `Examples: espalier environments validate ${exampleEnvironment}`,
        '          espalier environments validate ./my-game.ts --tasks 20 --steps 50 --hosting host',
        '          espalier environments validate http://127.0.0.1:8080 --environment my-game',
        'The exit code is 1 when a check fails.',
      ].join('\n'),
    )
    .action(async (what: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ValidateOptions>()
      await validate(what, options, terminal)
    })
}

async function validate(what: string, options: ValidateOptions, terminal: Terminal): Promise<void> {
  const { tasks, steps, seed } = options
  // Imported here, so that `--help` does not load every environment.
  const { withTargets } = await import('../validation/open-targets.ts')
  const { validateEnvironment } = await import('../../shared/environments/validation/validate-environment.ts')
  const reports: ValidationReport[] = []
  const line = await showLine(terminal)
  await withTargets(what, options, async ({ environment, sessions }) => {
    const onTask = (task: string, index: number, count: number) =>
      line.update(`${environment.id}: ${task}, task ${index + 1} of ${count}`)
    const wanted = { tasks, steps, seed, onTask, ...(sessions && { sessions }) }
    reports.push(await validateEnvironment(environment, wanted))
  }).finally(() => line.stop())
  const value = reports.length === 1 ? reports[0] : reports
  printResult(terminal, options, value, () => reports.flatMap((report) => formatValidation(report, terminal)))
  const failed = reports.filter(({ ok }) => !ok).map(({ environment }) => environment)
  if (failed.length === 0) return
  throw new CommandError('not_valid', `Not as it should be: ${failed.join(', ')}.`, 1, { isPrinted: true })
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 10_000) return count
  throw new InvalidArgumentError('It takes a whole number from 1 to 10000.')
}

function parseSeed(text: string): number {
  const seed = Number(text)
  if (text.trim() !== '' && Number.isInteger(seed) && seed >= 0 && seed <= 2_147_483_647) return seed
  throw new InvalidArgumentError('It takes a whole number from 0 to 2147483647.')
}

function formatValidation(report: ValidationReport, terminal: Terminal): string[] {
  const { environment, checks, tasks, steps, seed } = report
  const table = formatTable(
    columns,
    checks.map(({ id, status, description }) => [id, status, description]),
    terminal.columns,
  )
  const coloured = table.map((line, index) => {
    const check = checks[index - 1]
    return check === undefined ? line : terminal.paint(colours[check.status], line)
  })
  const failed = checks.filter(({ status }) => status === 'failed')
  const skipped = checks.filter(({ status }) => status === 'skipped')
  return [
    `${environment}: ${tasks.length} tasks, ${steps} steps, seed ${seed}`,
    ...coloured,
    ...skipped.map(({ id, reason }) => `${id} was skipped: ${reason}`),
    ...failed.flatMap(describeFailure),
    report.ok
      ? `${environment} holds in every check that was made.`
      : `${environment} fails in ${failed.length} of ${checks.length} checks.`,
  ]
}

function describeFailure({ id, reason, at, expected, came }: ValidationCheck): string[] {
  return [
    `${id} failed: ${toLine(reason ?? '')}`,
    ...(at === null ? [] : [`  at ${placeOf(at)}`]),
    ...(expected === null ? [] : [`  expected: ${toLine(expected)}`]),
    ...(came === null ? [] : [`  came:     ${toLine(came)}`]),
  ]
}

function placeOf({ task, step, action }: NonNullable<ValidationCheck['at']>): string {
  if (step === null) return `the start of ${task}`
  return `step ${step + 1} of ${task}${action === null ? '' : `, action ${JSON.stringify(action)}`}`
}
