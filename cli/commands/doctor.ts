import { resolve } from 'node:path'
import type { Command } from 'commander'
import { outboundFetch } from '../../shared/core/outbound/outbound-fetch.ts'
import type { Check } from '../checks/check.ts'
import { checkConfiguredEndpoints } from '../checks/check-endpoints.ts'
import { checkAddedEnvironments } from '../checks/check-environments.ts'
import { checkDisk, checkFolder } from '../checks/check-folder.ts'
import { checkHolder } from '../checks/check-holder.ts'
import { checkAddedMethods } from '../checks/check-methods.ts'
import { checkNode } from '../checks/check-node.ts'
import { checkProxy } from '../checks/check-proxy.ts'
import { checkRuntimes } from '../checks/check-runtimes.ts'
import { checkService } from '../checks/check-service.ts'
import { plannedWorkers } from '../checks/check-workers.ts'
import { CommandError } from '../command-error.ts'
import { holderOf, keyOf } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import { openClient } from '../open-client.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'Check the ground: Node, proxy, data folder, disk, who holds the folder, the service, workers, endpoints, and the programs that environments need.',
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
