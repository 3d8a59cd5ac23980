import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { LocalAuth } from '../../local/local-principal.ts'
import { choiceOption } from '../choice-option.ts'
import { shortPath } from '../dataset-folder.ts'
import { usualPort } from '../end-at-dashboard.ts'
import type { GlobalOptions } from '../global-options.ts'
import { type LabelsOption, labelsFlag, machineLabels } from '../machine-labels.ts'
import { parseLatency, parsePort, parseSeed, parseShare, parseWorkers } from '../parse-setting.ts'
import { objectsFlag, sharedWorld, worldFlag } from '../shared-world.ts'
import type { SimulatedSettings } from '../simulated-endpoint.ts'
import type { Terminal } from '../terminal.ts'
import { untilInterrupted } from '../until-interrupted.ts'

type ServeOptions = GlobalOptions &
  LabelsOption & {
    host: string
    port: number
    auth?: LocalAuth
    workers: number
    world?: string
    objects?: string
    simulatedSkill?: number
    simulatedLatency?: number
    simulatedSeed?: number
    untilInputEnds?: boolean
  }

const keyAdvice: Record<LocalAuth, string> = {
  none: 'not asked for; --auth keys asks for them',
  keys: 'asked for; espalier keys create makes one',
}

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description(
      'Serve the dashboard and the HTTP API over a data folder, and play its runs, until Ctrl-C or SIGTERM.',
    )
    .option('--port <n>', 'port to listen on; 0 chooses a free one', parsePort, usualPort)
    .option(
      '--host <address>',
      'address to listen on; one that other machines can reach needs keys',
      '127.0.0.1',
    )
    .addOption(
      choiceOption('--auth <mode>', 'authentication (default: none on this machine, else keys)', [
        'none',
        'keys',
      ]),
    )
    .option(
      '--workers <n>',
      'number of worker processes; 0: the serving process plays the episodes itself (default: one for each core)',
      parseWorkers,
      availableParallelism(),
    )
    .option(
      '--simulated-skill <n>',
      "share of the simulated model's answers that are right, 0 to 1",
      parseShare,
    )
    .option('--simulated-latency <ms>', 'milliseconds before the simulated model answers', parseLatency)
    .option('--simulated-seed <n>', "seed of the simulated model's answers", parseSeed)
    .option(...worldFlag)
    .option(...objectsFlag)
    .option(...labelsFlag)
    .option(
      '--until-input-ends',
      'also stop when standard input ends; for a child process of another program',
    )
    .addHelpText('after', '\nExample: espalier serve --port 8080 --folder .espalier')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>()
      const interruption = terminal.interruption()
      if (options.untilInputEnds) endWithInput(interruption)
      const folder = resolve(options.folder)
      const { openService } = await import('../../local/open-service.ts')
      const { loadEndpointsWith } = await import('../simulated-endpoint.ts')
      const endpoints = await loadEndpointsWith(folder, terminal.environment, toSettings(options))
      const { host, port, auth, workers } = options
      const shared = sharedWorld(options, terminal.environment)
      const labels = machineLabels(options, terminal.environment)
      const own = { folder, host, port, endpoints, labels, workers, ...(auth !== undefined && { auth }) }
      const service = await (shared === null
        ? openService(own)
        : (await import('../../local/cluster/open-cluster-service.ts')).openClusterService({
            ...own,
            ...shared,
          }))
      try {
        const facts = {
          address: service.address,
          auth: service.auth,
          docs: new URL('/docs', service.address).href,
          folder,
          workers,
        }
        if (options.json) terminal.out(JSON.stringify(facts))
        else {
          terminal.out(`Espalier's dashboard: ${facts.address}`)
          terminal.out(`  API          ${new URL('/v1', service.address).href}, described at ${facts.docs}`)
          if (shared !== null) terminal.out(`  world        ${shared.name}`)
          terminal.out(`  data folder  ${shortPath(folder)}`)
          terminal.out(`  workers      ${workers === 0 ? 'none: this process plays' : workers}`)
          terminal.out(`  keys         ${keyAdvice[service.auth]}`)
        }
        const { warnOfOtherSkill } = await import('../compare-skill.ts')
        await warnOfOtherSkill(folder, endpoints, service, terminal).catch((error: unknown) => {
          if (!interruption.aborted) throw error
        })
        // A killed process writes nothing at its end, and the next start would compile everything again.
        flushCompileCache()
        const { collectStart } = await import('../../local/workers/collect-start.ts')
        await collectStart()
        if (!interruption.aborted) await untilInterrupted(terminal)
        terminal.note('Stopping: no new work, committing what is under way. Again to stop at once.')
      } finally {
        await service.close()
      }
    })
}

function toSettings(options: ServeOptions): SimulatedSettings {
  const { simulatedSkill, simulatedLatency, simulatedSeed } = options
  return {
    ...(simulatedSkill === undefined ? {} : { skill: simulatedSkill }),
    ...(simulatedLatency === undefined ? {} : { latency: simulatedLatency }),
    ...(simulatedSeed === undefined ? {} : { seed: simulatedSeed }),
  }
}

function endWithInput(interruption: AbortSignal): void {
  // The output has lost its reader too. That must not end this process before it has committed.
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => undefined)
  }
  process.stdin.on('end', () => {
    if (!interruption.aborted) process.kill(process.pid, 'SIGTERM')
  })
  process.stdin.resume().unref?.()
}
