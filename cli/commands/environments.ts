import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { EnvironmentInfo, TaskInfo } from '../../shared/core/contracts/catalogue.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt } from '../connect.ts'
import { definitionsOfFile, isEnvironmentFile, refusePath } from '../environment-file.ts'
import { describeParameters } from '../format-parameters.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber, parsePort } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { addValidateCommand } from './validate-environment.ts'

type EnvironmentsOptions = GlobalOptions & {
  tasks?: boolean
  split?: string
  type?: string
  data?: string
  limit: number
  after?: string
}

const mostTypes = 8

export function addEnvironmentsCommand(program: Command, terminal: Terminal): void {
  const environments = program
    .command('environments')
    .description('List the environments, or the tasks of one; or check one.')
    .addHelpText('after', `\nExample: espalier environments ${exampleEnvironment} --tasks --split test`)
  addList(environments, terminal)
  addValidateCommand(environments, terminal)
  addInstallCommand(environments, terminal)
  addServeEnvironmentsCommand(environments)
}

function addList(environments: Command, terminal: Terminal): void {
  environments
    .command('list', { isDefault: true })
    .description('List the environments, or the tasks of one.')
    .argument('[environment]', 'one environment, or a file that exports some, such as ./mine.ts')
    .option('--tasks', 'list its tasks')
    .option('--split <split>', 'only tasks of this split')
    .option('--type <type>', 'only tasks of this type')
    .option('--data <pack>', 'only tasks of this data pack, or `builtin` (default: the newest pack)')
    .option('--limit <n>', 'maximum number of tasks', parseNumber, 20)
    .option('--after <task>', 'only tasks after this one')
    .addHelpText('after', `\nExample: espalier environments ${exampleEnvironment} --tasks --split test`)
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<EnvironmentsOptions>()
      if (options.tasks && id === undefined) throw wrongUsage('Which environment? Name it before --tasks.')
      await lookAtEnvironments(id, options, terminal, async (looked, known) => {
        if (known !== undefined && options.tasks) {
          const list = await looked.tasks(known)
          printResult(terminal, options, list, () => formatTasks(list.data, terminal.columns))
          if (list.has_more) terminal.note(`There are more: --after ${list.last_id}`)
          return
        }
        const found = known === undefined ? await looked.all() : [await looked.one(known)]
        const value = known === undefined ? found : found[0]
        printResult(terminal, options, value, () =>
          found.flatMap((each) => [
            ...describe(each),
            ...describeGenerators(each, { width: terminal.columns, isOne: known !== undefined }),
          ]),
        )
      })
    })
}

interface Looked {
  all(): Promise<EnvironmentInfo[]>
  one(id: string): Promise<EnvironmentInfo>
  tasks(id: string): Promise<List<TaskInfo>>
}

async function lookAtEnvironments(
  named: string | undefined,
  options: EnvironmentsOptions,
  terminal: Terminal,
  work: (looked: Looked, id: string | undefined) => Promise<void>,
): Promise<void> {
  const { split, type, data, limit, after } = options
  if (!isEnvironmentFile(named)) {
    refusePath(named, 'environment')
    return lookAt(options, terminal, ({ client }) =>
      work(
        {
          all: async () => (await client.environments()).data,
          one: (id) => client.environment(id, { data }),
          tasks: (id) => client.tasks(id, { split, type, data, limit, after }),
        },
        named,
      ),
    )
  }
  const { openCatalogue } = await import('../../functions/api/open-catalogue.ts')
  const { openEnvironments } = await import('../../shared/environments/open-environments.ts')
  const definitions = await definitionsOfFile(named, terminal.environment)
  const [only] = definitions.length === 1 ? definitions : []
  if (options.tasks && only === undefined) {
    throw wrongUsage(`${named} exports several environments. Add it to environments.json, and name one.`)
  }
  const catalogue = openCatalogue({
    environments: openEnvironments(definitions, null),
    describeMethods: () => [],
    endpoints: async () => [],
  })
  await work(
    {
      all: () => catalogue.environments(),
      one: (id) => catalogue.environment(id, data),
      tasks: (id) => catalogue.tasks(id, { split, type, data, limit, after }),
    },
    only?.id,
  )
}

function describe(environment: EnvironmentInfo): string[] {
  const splits = Object.entries(environment.splits).map(([split, tasks]) => `${split} ${tasks}`)
  return [
    `${environment.id}: ${environment.description}`,
    `  tasks: ${splits.join(', ')}; types: ${someOf(environment.types)}`,
    `  success from reward ${environment.success_threshold}; ${environment.default_max_steps} steps by default; snapshot ${environment.snapshot}; ${environment.deterministic ? 'deterministic' : 'not deterministic'}`,
    `  runs ${environment.hosting === 'worker' ? 'in the workers, or on hosts where a run says so' : 'on hosts'}; data: ${environment.data === null ? 'comes along' : `pack ${environment.data}`}`,
    ...(environment.roles === undefined
      ? []
      : [`  asks models, as tasks and options decide: ${environment.roles.join(', ')} (--role)`]),
  ]
}

function describeGenerators(
  { generators = [] }: EnvironmentInfo,
  { isOne, width }: { isOne: boolean; width: number },
): string[] {
  if (generators.length === 0) return []
  if (!isOne) return [`  generates tasks: ${generators.map(({ id }) => id).join(', ')}`]
  return generators.flatMap(({ bounds, description, id }) => [
    '',
    `Generator ${id}: ${description}`,
    ...describeParameters(bounds, width, { flag: '--bound', title: 'Bounds' }),
  ])
}

function someOf(types: readonly string[]): string {
  if (types.length === 0) return 'none'
  const shown = types.slice(0, mostTypes).join(', ')
  return types.length <= mostTypes ? shown : `${shown} and ${types.length - mostTypes} more`
}

function formatTasks(tasks: TaskInfo[], width: number): string[] {
  return formatTable(
    [{ header: 'task' }, { header: 'split' }, { header: 'type' }, { header: 'description', flexible: true }],
    tasks.map(({ id, split, type, description, lacks }) => [
      id,
      split,
      type,
      lacks === undefined ? description : `needs ${lacks.join(', ')}: ${description}`,
    ]),
    width,
  )
}

function addInstallCommand(environments: Command, terminal: Terminal): void {
  environments
    .command('install')
    .description(
      "Install an environment's Python packages, such as those of desktops and gyms, in a separate virtual environment (300 MB and more).",
    )
    .argument('<environment>', 'id of the environment, also one in environments.json')
    .addHelpText(
      'after',
      '\nExamples:\n  espalier environments install desktop\n  espalier environments install my-gym',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const made = await install(id, resolve(options.folder), terminal)
      printResult(terminal, options, made, () => [`Installed: ${made.python}`])
    })
}

async function install(id: string, folder: string, terminal: Terminal): Promise<{ python: string }> {
  const { installPythonEnvironment } = await import('../../shared/core/programs/python-environment.ts')
  let python = ''
  for (const wanted of await findPackages(id, join(folder, 'environments.json'), terminal.environment)) {
    python = (await installPythonEnvironment(wanted, (line) => terminal.note(line))).python
  }
  return { python }
}

/** @throws CommandError for an environment without packages of its own */
async function findPackages(id: string, path: string, variables: NodeJS.ProcessEnv) {
  const [{ definitions }, { readEnvironmentsFile }, { defineAddedEnvironment }] = await Promise.all([
    import('../../shared/environments/environments.ts'),
    import('../../shared/environments/added/read-environments-file.ts'),
    import('../../shared/environments/added/load-added-environments.ts'),
  ])
  const own = definitions.find((definition) => definition.id === id)
  const added = await readEnvironmentsFile(path, [])
  const entry = added.get(id)
  const definition = own ?? (entry && (await defineAddedEnvironment(id, entry, path)))
  const packages = await definition?.packages?.(variables)
  if (packages !== undefined) return packages
  const others = [...definitions.filter((each) => each.packages).map((each) => each.id), ...added.keys()]
  const which = `Neither Espalier nor ${path} has an environment with Python packages of its own named`
  throw wrongUsage(
    unknownName(
      which,
      id,
      others.filter((other) => other !== id),
    ),
  )
}

type ServeOptions = GlobalOptions & { port: number; program: string[]; untilInputEnds?: boolean }

function addServeEnvironmentsCommand(environments: Command): void {
  environments
    .command('serve')
    .description('Serve environments over HTTP on this machine, to be played without a run.')
    .option('--port <n>', 'port to listen on; 0 chooses a free one', parsePort, 0)
    .option('--program <file>', 'a Python file whose environment is served too; repeatable', collect, [])
    .option(
      '--until-input-ends',
      'end when standard input ends, not after an idle hour; for a child process of another program',
    )
    .addHelpText(
      'after',
      '\nPrints {"port": …} once it listens.\nExample: espalier environments serve --port 8090',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>()
      const { hostImages } = await import('../../local/host-images.ts')
      Object.assign(process.env, servedHostVariables(options, process.env))
      if (options.untilInputEnds) {
        process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume()
      }
      await import(hostImages['env-host'] as string)
      // The host has left. An open input would keep the process.
      if (options.untilInputEnds) process.stdin.destroy()
    })
}

export function servedHostVariables(
  { port, program, untilInputEnds }: Pick<ServeOptions, 'port' | 'program' | 'untilInputEnds'>,
  { ESPALIER_PYTHON: python = 'python3', ESPALIER_HOST_LEAVE_AFTER: leaveAfter }: NodeJS.ProcessEnv,
): Record<string, string> {
  const programs = program.map((file) => [python, '-m', 'espalier.environments', file])
  return {
    PORT: String(port),
    ESPALIER_HOST_PROGRAMS: JSON.stringify(programs),
    ...(untilInputEnds && { ESPALIER_HOST_LEAVE_AFTER: leaveAfter ?? String(Number.MAX_SAFE_INTEGER) }),
  }
}

function collect(file: string, earlier: string[]): string[] {
  return [...earlier, file]
}
