import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { outboundFetch } from '../../shared/core/outbound/outbound-fetch.ts'
import { describeProxies } from '../../shared/core/outbound/proxy-settings.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { definitions } from '../../shared/environments/environments.ts'
import type { ImageFacts } from '../../shared/environments/image-facts.ts'
import { images } from '../../shared/environments/images.ts'
import { missingOfImage } from '../../shared/environments/runtimes/image-runtimes.ts'
import type { RuntimeVariables } from '../../shared/environments/runtimes/missing-runtime.ts'
import { loadAddedMethods } from '../../shared/play/methods/added/load-added-methods.ts'
import { type Check, fail, ok, warn } from '../checks/check.ts'
import { checkConfiguredEndpoints } from '../checks/check-endpoints.ts'
import { checkDisk, checkFolder } from '../checks/check-folder.ts'
import { checkHolder } from '../checks/check-holder.ts'
import { checkService } from '../checks/check-service.ts'
import { plannedWorkers } from '../checks/check-workers.ts'
import { CommandError } from '../command-error.ts'
import { holderOf, keyOf } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import { openClient } from '../open-client.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

const hostPrograms = images
  .map((image) => ({ image, environments: inWords(playedOn(image)) }))
  .filter(({ environments }) => environments !== '')

const leastNode = 24

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'Check this machine: Node, proxy, data folder, disk, the process that holds the folder, the service, workers, endpoints, and the programs that environments need.',
    )
    .addHelpText('after', '\nExample: espalier doctor')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const checks = await examine(options, terminal)
      const failed = checks.filter((check) => check.status === 'fail').length
      printResult(terminal, options, { ok: failed === 0, checks }, () => checks.flatMap(describe(terminal)))
      if (failed === 0) return
      const message = `${failed} of ${checks.length} checks failed.`
      throw new CommandError('doctor_failed', message, 1, { isPrinted: true })
    })
}

async function examine(options: GlobalOptions, terminal: Terminal): Promise<Check[]> {
  const proxy = checkProxy(terminal.environment)
  const node = [checkNode(process.versions.node), ...(proxy === null ? [] : [proxy])]
  const at = (address: string, isHere: boolean, credentials: ReturnType<typeof keyOf>) =>
    checkService(
      openClient({ address, fetcher: outboundFetch, signal: terminal.interruption(), ...credentials }),
      isHere,
    )
  if (options.service !== undefined) return [...node, ...(await at(options.service, false, keyOf(options)))]
  const folder = resolve(options.folder)
  const usable = await checkFolder(folder)
  const ground = [...node, usable, await checkDisk(folder)]
  // The path is no folder, so later checks would find nothing.
  if (usable.status === 'fail') return ground
  const { check, address, word } = await checkHolder(folder)
  const added =
    address === null ? [...(await checkAddedEnvironments(folder)), ...(await checkAddedMethods(folder))] : []
  const served =
    address === null
      ? [plannedWorkers(), ...(await checkConfiguredEndpoints(folder, terminal.environment))]
      : await at(address, true, holderOf(options, word))
  return [...ground, check, ...served, ...added, ...(await checkRuntimes(terminal.environment))]
}

function describe(terminal: Terminal): (check: Check) => string[] {
  const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const
  return ({ name, status, message, action }) => [
    `${terminal.paint(colours[status], status.padEnd(4))}  ${name}: ${message}`,
    ...(action === null ? [] : [`      ${action}`]),
  ]
}

async function checkAddedEnvironments(folder: string): Promise<Check[]> {
  const path = join(folder, 'environments.json')
  try {
    const added = await loadAddedEnvironments({ path })
    return added.map(({ id }) => ok(`environment ${id}`, 'added by environments.json'))
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return [fail('environments', error.message, `Mend ${path}; no service starts with it.`)]
  }
}

async function checkAddedMethods(folder: string): Promise<Check[]> {
  const path = join(folder, 'methods.json')
  try {
    const added = await loadAddedMethods({ path })
    return added.map(({ id, method, module }) => {
      const name = `method ${id}`
      return 'unavailable' in method
        ? fail(name, method.unavailable, 'Runs of this method wait until then; others are played.')
        : ok(name, `added by methods.json, from ${module.file}`)
    })
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return [fail('methods', error.message, `Mend ${path}; no service starts with it.`)]
  }
}

export function checkNode(version: string): Check {
  const [major] = version.split('.').map(Number)
  return major !== undefined && major >= leastNode
    ? ok('node', `Node ${version}`)
    : fail(
        'node',
        `Node ${version} is too old.`,
        `Run the npm scripts, or install Node ${leastNode} or later.`,
      )
}

export function checkProxy(environment: Readonly<Record<string, string | undefined>>): Check | null {
  try {
    const proxies = describeProxies(environment)
    if (proxies.length === 0) return null
    const exempt = environment.no_proxy ?? environment.NO_PROXY ?? ''
    const without = exempt === '' ? '' : `; not for ${exempt}`
    return ok('proxy', `${proxies.join(', ')}${without}`)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return fail('proxy', error.message, 'Correct the variable where the service is started.')
  }
}

function playedOn({ id, kinds = [] }: ImageFacts): string[] {
  return [...definitions.filter(({ image }) => image?.id === id).map((each) => each.id), ...kinds]
}

function inWords(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

/**
 * Checks that this machine has the programs of each environment that needs some. A missing one is a warning with its cure, because all
 * else works without it.
 *
 * @param variables environment variables: `PATH`, and those that name programs, such as `ESPALIER_PYTHON`
 */
export async function checkRuntimes(variables: RuntimeVariables): Promise<Check[]> {
  return Promise.all(
    hostPrograms.map(async ({ image, environments }) => {
      const name = image.label ?? image.id
      const missing = await missingOfImage(image.id, variables)
      if (missing.length === 0) return ok(name, `the programs of ${environments} are here`)
      const message = `${environments} cannot be played here. ${missing.map((each) => each.missing).join(' ')}`
      return warn(name, message, missing.map(({ cure }) => cure).join('\n      '))
    }),
  )
}
