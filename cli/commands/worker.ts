import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { JoinedWorkerOptions } from '../../local/cluster/joined-worker.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { availableMemory } from '../../shared/core/programs/available-memory.ts'
import { longestTimer } from '../../shared/core/world/system-clock.ts'
import { stageFlag } from '../at-desk.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { type LabelsOption, labelsFlag, machineLabels } from '../machine-labels.ts'
import { parseNumber } from '../parse-setting.ts'
import { objectsFlag, type SharedWorld, sharedWorld, worldFlag } from '../shared-world.ts'
import type { Terminal } from '../terminal.ts'

type WorkerOptions = GlobalOptions &
  LabelsOption & {
    stage?: string
    places: number
    world?: string
    objects?: string
    until?: Date
    hosts?: number
    models?: number
    join?: string
    token?: string
  }

/** Seconds for which calls under way may continue; and milliseconds before `--until` at which the worker leaves. */
const grace = 100
const leaveBefore = (grace + 20) * 1000

export function addWorkerCommand(program: Command, terminal: Terminal): void {
  program
    .command('worker')
    .description(
      'Play hundreds of episodes at once, of a deployment or of a world that machines share, until Ctrl-C or SIGTERM. Calls in progress may then finish, and other workers continue the episodes. A service on one machine starts its own workers.',
    )
    .option(
      stageFlag[0],
      'the deployment, with your AWS credentials (default: the one that ESPALIER_TABLE and its like describe)',
    )
    .option(...worldFlag)
    .option(...objectsFlag)
    .option(...labelsFlag)
    .option(
      '--join <address>',
      'a service of a shared world, over HTTPS; this machine needs no other access to the world (or ESPALIER_JOIN)',
    )
    .option(
      '--token <key>',
      'with --join: a key with the scope workers:join (or ESPALIER_TOKEN, which hides it from ps)',
    )
    .option(
      '--hosts <n>',
      'with --join: play nothing, and run at most this many hosts of environments; --labels then names their images, such as browser',
      parsePlaces,
    )
    .option(
      '--models <n>',
      'with --join: play nothing, and serve at most this many models, by the drivers of servers.json in --folder',
      parsePlaces,
    )
    .option('--until <time>', 'leave at this time, such as the end of a Slurm job; an ISO date', parseTime)
    .option('--places <n>', 'maximum episodes in flight', parsePlaces, 500)
    .addHelpText(
      'after',
      '\nExample: espalier worker --stage prod --places 200\n         espalier worker --world postgres://db/espalier --objects /shared/espalier',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkerOptions>()
      const { folder, places, stage, until, json = false } = options
      const labels = machineLabels(options, terminal.environment)
      const interruption = untilTime(terminal.interruption(), until)
      const address = options.join ?? terminal.environment.ESPALIER_JOIN
      const { hosts = options.models, models } = options
      if (options.hosts !== undefined && models !== undefined)
        throw wrongUsage('Hosts of environments and servers of models join apart: start two workers.')
      if (hosts !== undefined && (stage !== undefined || address === undefined))
        throw wrongUsage(
          `${models === undefined ? '--hosts' : '--models'} needs --join: it is for a service with a PostgreSQL world.`,
        )
      if (stage === undefined && address !== undefined) {
        const { modelServerImage } = await import('../../local/cluster/model-calls.ts')
        const token = options.token ?? terminal.environment.ESPALIER_TOKEN
        await playJoined(
          { address, token, hosts },
          {
            ...{ folder: resolve(folder), places, json },
            labels: models === undefined ? labels : [modelServerImage, ...labels],
            ...{ terminal, interruption },
          },
        ).catch((error: unknown) => {
          throw adviseOnToken(error)
        })
        return
      }
      const shared = stage === undefined ? sharedWorld(options, terminal.environment) : null
      if (shared !== null) {
        await playShared(shared, { folder: resolve(folder), places, labels, json, terminal, interruption })
        return
      }
      if (stage === undefined && terminal.environment.ESPALIER_TABLE === undefined) {
        throw wrongUsage(
          'A worker joins a deployment or a world: name it with --stage or --world, or set the variables that its functions have. On one machine `espalier serve` starts its own workers.',
        )
      }
      // Imported here, so that other commands do not load the AWS clients.
      const { logToStderr: log } = await import('../../functions/api/log.ts')
      const { runWorker } = await import('../../functions/aws/worker/run-worker.ts')
      const endpoints = join(resolve(folder), 'endpoints.json')
      const environment = {
        ...(existsSync(endpoints) && { ESPALIER_ENDPOINTS: endpoints }),
        ...terminal.environment,
        ...(stage !== undefined && (await describeStage(stage))),
      }
      await runWorker({
        environment,
        places,
        memory: availableMemory(terminal.environment),
        log,
        interruption,
      })
    })
}

interface PlayNeeds {
  folder: string
  places: number
  labels: string[]
  json: boolean
  terminal: Terminal
  interruption: AbortSignal
}

/**
 * Plays a service's runs until the interruption, or until the service refuses the token.
 * @throws EspalierError `invalid_key` after the token was revoked
 */
async function playJoined(
  { address, token, hosts }: { address: string; token: string | undefined; hosts: number | undefined },
  { folder, places, labels, json, terminal, interruption }: PlayNeeds,
): Promise<void> {
  if (token === undefined)
    throw wrongUsage(
      'A worker joins with a key: make one on the service with espalier keys create --name NODE --scopes workers:join, and give it as --token or in ESPALIER_TOKEN.',
    )
  const { logToStderr: log } = await import('../../functions/api/log.ts')
  const refused = new AbortController()
  const onRefused = (error: unknown) => refused.abort(error)
  const joining = { folder, address, token, labels, log, onRefused }
  const worker =
    hosts === undefined
      ? await startPlaying({ ...joining, capacity: places }, terminal)
      : await (await import('../../local/cluster/joined-host.ts')).startJoinedHost({
          ...joining,
          capacity: hosts,
        })
  const { host } = new URL(address)
  log({ level: 'info', event: 'worker.started', worker: worker.name, world: host, places })
  terminal.out(
    json
      ? JSON.stringify({
          worker: worker.name,
          world: host,
          ...(hosts === undefined ? { places } : { hosts }),
        })
      : `${hosts === undefined ? 'Plays' : 'Runs hosts'} as ${worker.name}.`,
  )
  const end = AbortSignal.any([interruption, refused.signal])
  if (!end.aborted) await once(end, 'abort')
  log({ level: 'info', event: 'worker.leaving', worker: worker.name })
  await worker.stop(refused.signal.aborted ? 0 : grace)
  refused.signal.throwIfAborted()
  log({ level: 'info', event: 'worker.left', worker: worker.name })
}

function adviseOnToken(error: unknown): unknown {
  if (!EspalierError.isInstance(error) || error.code !== 'invalid_key') return error
  return new CommandError(error.code, `${error.message} Look at --token and ESPALIER_TOKEN.`)
}

async function startPlaying(joining: Omit<JoinedWorkerOptions, 'endpoints'>, terminal: Terminal) {
  const [{ startJoinedWorker }, { loadEndpointsWith }] = await Promise.all([
    import('../../local/cluster/joined-worker.ts'),
    import('../simulated-endpoint.ts'),
  ])
  const endpoints = await loadEndpointsWith(joining.folder, terminal.environment)
  return startJoinedWorker({ ...joining, endpoints })
}

/** Plays until the interruption. A second one ends the process at once, so that its episodes resume elsewhere. */
async function playShared(
  { world, objects, name }: SharedWorld,
  { folder, places, labels, json, terminal, interruption }: PlayNeeds,
): Promise<void> {
  const [{ startClusterWorker }, { logToStderr: log }, { loadEndpointsWith }] = await Promise.all([
    import('../../local/cluster/cluster-worker.ts'),
    import('../../functions/api/log.ts'),
    import('../simulated-endpoint.ts'),
  ])
  const endpoints = await loadEndpointsWith(folder, terminal.environment)
  const worker = await startClusterWorker({
    ...{ folder, world, objects, endpoints, labels, log },
    capacity: places,
  })
  log({ level: 'info', event: 'worker.started', worker: worker.name, world: name, places })
  terminal.out(
    json ? JSON.stringify({ worker: worker.name, world: name, places }) : `Plays as ${worker.name}.`,
  )
  if (!interruption.aborted) await once(interruption, 'abort')
  log({ level: 'info', event: 'worker.leaving', worker: worker.name })
  await worker.stop(grace)
  log({ level: 'info', event: 'worker.left', worker: worker.name })
}

function untilTime(interruption: AbortSignal, until: Date | undefined): AbortSignal {
  if (until === undefined) return interruption
  const left = Math.min(Math.max(0, until.getTime() - Date.now() - leaveBefore), longestTimer)
  return AbortSignal.any([interruption, AbortSignal.timeout(left)])
}

function parseTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It takes a date such as 2027-01-31T18:00:00Z.')
  return time
}

async function describeStage(stage: string): Promise<Record<string, string>> {
  const [{ readStageSettings }, { environmentOfStage }, { codeVersion }, { default: packageFile }] =
    await Promise.all([
      import('../open-stage-ledger.ts'),
      import('../../functions/aws/worker/stage-environment.ts'),
      import('../../shared/core/engine/code-version.ts'),
      import('../../package.json', { with: { type: 'json' } }),
    ])
  return environmentOfStage(await readStageSettings(stage), codeVersion(packageFile.version))
}

function parsePlaces(text: string): number {
  const places = parseNumber(text)
  if (!Number.isInteger(places) || places < 1 || places > 10_000)
    throw new InvalidArgumentError('It takes a whole number from 1 to 10000.')
  return places
}
