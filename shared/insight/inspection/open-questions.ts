import type { CallQuestion, QuestionEstimate } from '../../core/contracts/call-question.ts'
import type { EndpointConfiguration, Price } from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { leastDollars } from '../../core/contracts/limits.ts'
import { type Run, runRequestSchema } from '../../core/contracts/run.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { World } from '../../core/world/ports.ts'
import { findPrompt } from '../../data/datasets/annotators/ask-again.ts'
import { attemptTask } from '../../data/datasets/attempt-task.ts'
import { defaultAnswerTokens } from '../../play/models/answer-defaults.ts'
import { promptTokensOf, upperBoundOf } from '../../play/models/prices.ts'

/** A retry after a lost answer, and the probe before the run, fit below this many times the call's upper bound. */
const room = 2

export interface AskedEpisode {
  run: string
  episode: string
}

export interface Questions {
  /** @throws EspalierError as `ask` does; asks nothing */
  estimate(place: AskedEpisode, question: CallQuestion): Promise<QuestionEstimate>
  /**
   * Sends a call's prompt to another model, in a run of one episode with its own cap: reserved, counted and journaled
   * like any other. Deleting the run leaves nothing of the answer.
   * @throws EspalierError `not_found`; `unknown_endpoint`, `unpriced_endpoint` as a run does; `invalid_state` for an
   * episode that reached no end; `not_supported` for a call that offered tools
   */
  ask(place: AskedEpisode, question: CallQuestion): Promise<Run>
}

export interface QuestionNeeds {
  clock: Pick<World['clock'], 'now'>
  runs: Pick<Runs, 'annotate' | 'episode' | 'get' | 'journal'>
  checkEndpoint(choice: Pick<CallQuestion['model'], 'endpoint'>, param: string): Promise<void>
  configuration(endpoint: string): EndpointConfiguration
  price(endpoint: string, model: string): Price | null
}

export function openQuestions({
  checkEndpoint,
  clock,
  configuration,
  price,
  runs,
}: QuestionNeeds): Questions {
  async function estimate(
    { episode, run }: AskedEpisode,
    { call, limits, model }: CallQuestion,
  ): Promise<QuestionEstimate> {
    const { status } = await runs.episode(run, episode)
    if (status !== 'succeeded' && status !== 'failed' && status !== 'limited') throw notEnded(episode, status)
    await checkEndpoint(model, 'model.endpoint')
    const messages = findPrompt(await runs.journal(run, episode), call)
    const max_tokens = model.max_tokens ?? defaultAnswerTokens(configuration(model.endpoint))
    const { id, temperature, top_p } = model
    const asked = { model: id, temperature, top_p, max_tokens, seed: 0, messages }
    const { cost, tokens } = upperBoundOf(asked, price(model.endpoint, model.id))
    const cap =
      cost === null || cost === 0 ? { tokens: tokens * room } : { cost: Math.max(leastDollars, cost * room) }
    return {
      object: 'question_estimate',
      prompt_tokens: promptTokensOf(asked),
      answer_tokens: max_tokens,
      cost,
      limits: limits ?? cap,
    }
  }

  return {
    estimate,
    async ask(place, question) {
      const { limits } = await estimate(place, question)
      const { environment } = (await runs.get(place.run)).request
      const request = runRequestSchema.parse({
        name: `asks ${question.call} of ${place.episode} again`,
        environment,
        tasks: {},
        method: { id: 'ask-again', asked_run: place.run, call: question.call },
        model: question.model,
        limits,
        metadata: { asked_run: place.run, asked_episode: place.episode },
      })
      const asking = newIdentifier('question', clock.now())
      return runs.annotate(asking, request, [attemptTask({ source: place.run, episode: place.episode })])
    },
  }
}

function notEnded(episode: string, status: string): EspalierError {
  return new EspalierError(
    'invalid_state',
    `The episode ${episode} is ${status}. Only the calls of one that reached an end are asked again.`,
    { param: 'episode' },
  )
}
