import type { Command } from 'commander'
import type { EpisodeLimits } from '../../shared/core/contracts/limits.ts'
import type { ExtendRequest } from '../../shared/core/contracts/run.ts'
import { type CapFlags, changeRun, type DetachFlag, detachOption, toLimits } from '../change-run.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseNumber, parseSettings } from '../parse-setting.ts'
import type { Terminal } from '../terminal.ts'

type ExtendOptions = GlobalOptions &
  CapFlags &
  DetachFlag & { set?: string[]; episodeSteps?: number; episodeCost?: number }

export function addExtendCommand(program: Command, terminal: Terminal): void {
  program
    .command('extend')
    .description(
      'Continue every episode of an ended run with a larger budget, watch it and print its report.',
    )
    .argument('<run>', 'the run: its id, or latest')
    .option('--set <name=value>', 'a parameter of the method; may be given several times', collect)
    .option('--max-cost <dollars>', 'new cap on the cost', parseNumber)
    .option('--max-tokens <n>', 'new cap on the tokens', parseNumber)
    .option('--max-time <seconds>', 'new cap on the running time', parseNumber)
    .option('--episode-steps <n>', 'new limit on the steps of an episode', parseNumber)
    .option('--episode-cost <dollars>', 'new limit on the cost of an episode', parseNumber)
    .option(...detachOption)
    .addHelpText('after', '\nExample: espalier extend run-0123 --set iterations=16')
    .action(async (run: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ExtendOptions>()
      await changeRun('extend', run, { options, terminal, body: toExtension(options) })
    })
}

function toExtension(options: ExtendOptions): ExtendRequest {
  const limits: EpisodeLimits = {
    ...(options.episodeSteps === undefined ? {} : { steps: options.episodeSteps }),
    ...(options.episodeCost === undefined ? {} : { cost: options.episodeCost }),
  }
  return {
    ...toLimits(options),
    ...(options.set === undefined ? {} : { method: parseSettings(options.set) }),
    ...(Object.keys(limits).length > 0 ? { episode_limits: limits } : {}),
  }
}
