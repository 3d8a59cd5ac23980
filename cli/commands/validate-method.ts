import { type Command, InvalidArgumentError } from 'commander'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { MethodLaw, MethodValidation } from '../../shared/core/contracts/method-validation.ts'
import { CommandError } from '../command-error.ts'
import { toLine, wrap } from '../fit-text.ts'
import { hang } from '../format-parameters.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseSettings } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

const columns = [{ header: 'law' }, { header: 'outcome' }, { header: 'what must hold', flexible: true }]
const colours = { passed: 'green', failed: 'red', skipped: 'dim' } as const

type ValidateOptions = GlobalOptions & {
  method?: string
  environment?: string[]
  set?: string[]
  tasks: number
  steps: number
  cuts: number
  seed: number
  timeLimit: number
}

export function addValidateMethodCommand(methods: Command, terminal: Terminal): void {
  methods
    .command('validate')
    .description('Play a method, ours or yours, and check the guarantees that the service relies on.')
    .argument('<what>', 'a file that exports it, such as ./greedy.ts, or the id of a method')
    .option('--method <id>', 'only this method of the file')
    .option(
      '--environment <id>',
      'play in this environment; may be given several times (default: those that need no host)',
      collect,
    )
    .option('--set <name=value>', 'a parameter of the method; may be given several times', collect)
    .option('--tasks <n>', 'number of tasks to play in each environment', parseWhole(1, 100), 1)
    .option(
      '--steps <n>',
      'maximum number of steps in a trajectory, unless --set sets it',
      parseWhole(1, 1000),
      6,
    )
    .option(
      '--cuts <n>',
      'maximum number of points at which each episode is interrupted and resumed',
      parseWhole(1, 10_000),
      60,
    )
    .option('--seed <n>', 'the seed of everything random', parseWhole(0, 2_147_483_647), 0)
    .option(
      '--time-limit <seconds>',
      'time limit for each environment; longer plays count as endless',
      parseWhole(1, 86_400),
      120,
    )
    .addHelpText(
      'after',
      [
        '',
        'Examples: espalier methods validate ./greedy.ts',
        `          espalier methods validate ./greedy.ts --environment ${exampleEnvironment} --set samples=2 --steps 10`,
        'The exit code is 1 when a law is broken.',
      ].join('\n'),
    )
    .action(async (what: string, _: unknown, command: Command) => {
      await validate(what, command.optsWithGlobals<ValidateOptions>(), terminal)
    })
}

async function validate(what: string, options: ValidateOptions, terminal: Terminal): Promise<void> {
  // Imported here, so that `--help` does not load every method.
  const { validateMethods } = await import('../validation/validate-methods.ts')
  const { cuts, environment, folder, method, seed, set = [], steps, tasks, timeLimit } = options
  const line = await showLine(terminal)
  const reports = await validateMethods(
    what,
    { cuts, folder, parameters: parseSettings(set), seed, steps, tasks, timeLimit },
    {
      ...(method !== undefined && { method }),
      ...(environment !== undefined && { environments: environment }),
      onProgress: (text) => line.update(text),
    },
  ).finally(() => line.stop())
  const value = reports.length === 1 ? reports[0] : reports
  printResult(terminal, options, value, () =>
    reports.flatMap((report) => formatMethodValidation(report, terminal)),
  )
  const failed = reports.filter(({ ok }) => !ok).map((report) => report.method)
  if (failed.length === 0) return
  throw new CommandError('not_valid', `Not as it should be: ${failed.join(', ')}.`, 1, { isPrinted: true })
}

function parseWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`)
  }
}

function formatMethodValidation(report: MethodValidation, terminal: Terminal): string[] {
  const { effects, environments, episodes, file, laws, method, resumed, seed } = report
  const width = terminal.columns
  const table = formatTable(
    columns,
    laws.map(({ id, status, description }) => [id, status, description]),
    width,
  )
  const coloured = table.map((line, index) => {
    const law = laws[index - 1]
    return law === undefined ? line : terminal.paint(colours[law.status], line)
  })
  const broken = laws.filter(({ status }) => status === 'failed')
  const skipped = laws.filter(({ status }) => status === 'skipped')
  const from = file === null ? '' : ` (${file})`
  return [
    ...wrap(
      `${method}${from}: ${episodes} ${episodes === 1 ? 'episode' : 'episodes'} in ${environments.join(', ')}; ${effects} effects, cut off and resumed ${resumed} times; seed ${seed}`,
      width,
    ),
    ...coloured,
    ...skipped.flatMap(({ id, reason }) =>
      hang(`${id} was skipped: ${toLine(reason ?? '')}`, { width, by: 2 }),
    ),
    ...broken.flatMap((law) => describeBroken(law, width)),
    broken.length === 0
      ? `${method} keeps every law that was checked.`
      : `${method} breaks ${broken.length} of ${laws.length} laws.`,
  ]
}

function describeBroken({ id, reason, at, expected, came, mend }: MethodLaw, width: number): string[] {
  const place = at && [at.environment, at.task, at.effect].filter((part) => part !== null).join(', ')
  const lines = [
    `${id} is broken: ${toLine(reason ?? '')}`,
    ...(place === null ? [] : [`  at ${place}`]),
    ...(expected === null ? [] : [`  expected: ${toLine(expected)}`]),
    ...(came === null ? [] : [`  came:     ${toLine(came)}`]),
    ...(mend === null ? [] : [`  to mend:  ${mend}`]),
  ]
  return lines.flatMap((line) => hang(line, { width, by: 12 }))
}
