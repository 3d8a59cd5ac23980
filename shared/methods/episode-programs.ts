import { episodeId } from '../contracts/episode.ts'
import type { RunRequest } from '../contracts/run.ts'
import type { EffectScope } from '../engine/effect-scope.ts'
import type { EpisodePrograms } from '../engine/episodes/episode-program.ts'
import { type EnvironmentTask, isPure } from '../environments/environment.ts'
import type { Environments, OpenEnvironment } from '../environments/open-environments.ts'
import type { SessionSource } from '../environments/session-source.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { summariseJournal } from '../search/summarise-journal.ts'
import { EpisodeScope } from './episode-scope.ts'
import { HostedStates } from './hosted-states.ts'
import { findMethod, parseMethodParameters } from './methods.ts'
import type { NodeStates } from './node-states.ts'
import { PureStates } from './pure-states.ts'

export interface ProgramsOptions {
  environments: Pick<Environments, 'open'>
  /** Where sessions of an environment are opened that does not run in this process. */
  sessions(environment: OpenEnvironment): SessionSource
  /** The model behind an endpoint's name. */
  model(endpoint: string): ChatModel
  /** Names this process among all that play episodes. */
  worker: string
  /** Of this program, for trajectories. */
  version: string
}

/** Makes the episodes of a run: its method over its environment, asking its model. */
export function createEpisodePrograms(options: ProgramsOptions): EpisodePrograms {
  const { environments, model, version } = options
  return {
    async program(run, request, { index, task }, meter) {
      const { id, ...given } = request.method
      const method = findMethod(id)
      const opened = await environments.open(request.environment, request.data)
      const { environment } = opened
      const facts = environment.tasks().find((candidate) => candidate.id === task)
      const holder = `${options.worker}/${run}/${episodeId(index)}`
      const createStates = await statesOf(options, opened, request, { task, holder })
      const choice = request.model
      let states: NodeStates | null = null
      let scope: EpisodeScope | null = null
      return {
        steps: () => scope?.tree.steps ?? 0,
        async play(effects) {
          states = createStates(effects)
          scope = await EpisodeScope.open({
            effects,
            environment,
            task,
            states,
            defaultMaxSteps: facts?.max_steps ?? environment.default_max_steps,
            method,
            prompt: method.prompt(environment.describe(facts as EnvironmentTask)),
            model: model(choice.endpoint),
            choice,
            meter: meter(choice),
          })
          await method.play(scope, parseMethodParameters(method, given as never))
        },
        async close() {
          await states?.close()
        },
      }
    },
    async summarise(run, request, { index }, records) {
      return summariseJournal(records, {
        run,
        episode: episodeId(index),
        method: request.method.id,
        model: request.model.id,
        version,
      })
    },
  }
}

/** Loads what playing a task takes, so that the episode's function waits for nothing but effects. */
async function statesOf(
  { sessions }: ProgramsOptions,
  opened: OpenEnvironment,
  { hosting, seed }: RunRequest,
  { task, holder }: { task: string; holder: string },
): Promise<(effects: EffectScope) => NodeStates> {
  const { environment } = opened
  if (!isPure(environment) || hosting === 'host') {
    const source = sessions(opened)
    return (effects) => new HostedStates(effects, source, { id: task, seed, holder })
  }
  const core = await environment.open(task)
  return () => new PureStates(core, { id: task, seed })
}
