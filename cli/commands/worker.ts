import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { stageFlag } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import type { Terminal } from '../terminal.ts'

type WorkerOptions = GlobalOptions & { stage?: string; places: number }

export function addWorkerCommand(program: Command, terminal: Terminal): void {
  program
    .command('worker')
    .description(
      'Play episodes of a deployment, hundreds side by side, until Ctrl-C or SIGTERM: then calls under way may finish, and the rest goes on elsewhere. A service on one machine starts its own workers.',
    )
    .option(
      stageFlag[0],
      'the deployment, with your AWS credentials (default: the one that ESPALIER_TABLE and its like describe)',
    )
    .option('--places <n>', 'episodes in flight at most', parsePlaces, 500)
    .addHelpText('after', '\nExample: espalier worker --stage prod --places 200')
    .action(async (_: unknown, command: Command) => {
      const { folder, places, stage } = command.optsWithGlobals<WorkerOptions>()
      if (stage === undefined && terminal.environment.ESPALIER_TABLE === undefined) {
        throw wrongUsage(
          'A worker joins a deployment: name it with --stage, or set the variables that its functions have. On one machine `espalier serve` starts its own workers.',
        )
      }
      const interruption = terminal.interruption()
      // Imported here, so that other commands do not load the AWS clients.
      const { logToStderr: log } = await import('../../functions/api/log.ts')
      const { memoryHere } = await import('../../functions/aws/worker/load-gauge.ts')
      const { runWorker } = await import('../../functions/aws/worker/run-worker.ts')
      const endpoints = join(resolve(folder), 'endpoints.json')
      const environment = {
        ...(existsSync(endpoints) && { ESPALIER_ENDPOINTS: endpoints }),
        ...terminal.environment,
        ...(stage !== undefined && (await describeStage(stage))),
      }
      await runWorker({ environment, places, memory: memoryHere(), log, interruption })
    })
}

async function describeStage(stage: string): Promise<Record<string, string>> {
  const [{ readStageSettings }, { environmentOfStage }, { codeVersion }, { default: packageFile }] =
    await Promise.all([
      import('../open-stage-ledger.ts'),
      import('../../functions/aws/worker/stage-environment.ts'),
      import('../../shared/core/engine/code-version.ts'),
      import('../../package.json', { with: { type: 'json' } }),
    ])
  return environmentOfStage(await readStageSettings(stage), await codeVersion(packageFile.version))
}

function parsePlaces(text: string): number {
  const places = parseNumber(text)
  if (!Number.isInteger(places) || places < 1 || places > 10_000)
    throw new InvalidArgumentError('It takes a whole number from 1 to 10000.')
  return places
}
