import { episodeId } from '../contracts/episode.ts'
import type { EpisodePrograms } from '../engine/episodes/episode-program.ts'
import type { PureEnvironment } from '../environments/environment.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { summariseJournal } from '../search/summarise-journal.ts'
import { EpisodeScope } from './episode-scope.ts'
import { findMethod, parseMethodParameters } from './methods.ts'
import { findPrompt } from './prompts/prompts.ts'

export interface ProgramsOptions {
  findEnvironment(id: string): PureEnvironment
  /** The model behind an endpoint's name. */
  model(endpoint: string): ChatModel
  /** Of this program, for trajectories. */
  version: string
}

/** Makes the episodes of a run: its method over its environment, asking its model. */
export function createEpisodePrograms({ findEnvironment, model, version }: ProgramsOptions): EpisodePrograms {
  return {
    program: (_run, request, { task }, meter) => {
      const { id, ...given } = request.method
      const method = findMethod(id)
      const environment = findEnvironment(request.environment)
      const choice = request.model
      let scope: EpisodeScope | null = null
      return {
        steps: () => scope?.tree.steps ?? 0,
        play: (effects) => {
          scope = new EpisodeScope({
            effects,
            environment,
            task,
            seed: request.seed,
            method,
            prompt: findPrompt(id, environment.id),
            model: model(choice.endpoint),
            choice,
            meter: meter(choice),
          })
          return method.play(scope, parseMethodParameters(method, given as never))
        },
      }
    },
    summarise: (run, request, { index }, records) =>
      summariseJournal(records, {
        run,
        episode: episodeId(index),
        method: request.method.id,
        model: request.model.id,
        version,
        success_threshold: findEnvironment(request.environment).success_threshold,
      }),
  }
}
