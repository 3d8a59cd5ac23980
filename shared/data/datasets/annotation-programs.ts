import type { Json } from '../../core/contracts/json.ts'
import type { PromptMessage } from '../../core/contracts/message.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import type { CompleteModelChoice, ModelChoice } from '../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import { addUsage, noUsage } from '../../core/contracts/usage.ts'
import type { AnswerListener } from '../../core/engine/answers/first-answers.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import type { EpisodePrograms } from '../../core/engine/episodes/episode-program.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import { countWithin, type TokenCounter } from '../../play/models/token-counter.ts'
import { judgeAnswers } from '../../play/search/answer-faults.ts'
import { readAnnotator } from './annotation-method.ts'
import type { AnnotationScope } from './annotator.ts'
import type { Attempt } from './attempt.ts'
import { readAttemptTask } from './attempt-task.ts'
import type { Attempts } from './attempts.ts'

export interface AnnotationCalls {
  choice(role: 'verifier'): CompleteModelChoice
  counter(role: 'verifier'): TokenCounter
  ask(question: {
    key: string
    role: 'verifier'
    messages: readonly PromptMessage[]
    answerTokens?: number
  }): Promise<string[]>
}

export interface AnnotationProgramsOptions {
  attempts(tenant: string): Attempts
  tenantOf(run: string): Promise<string>
  calls(episode: {
    effects: EffectScope
    request: RunRequest
    meter: (choice: ModelChoice) => Meter
    onAnswers?: AnswerListener
    counters: ReadonlyMap<string, TokenCounter>
  }): AnnotationCalls
  counters(tenant: string, request: RunRequest): Promise<ReadonlyMap<string, TokenCounter>>
}

export function createAnnotationPrograms({
  attempts,
  tenantOf,
  calls,
  counters: countersOf,
}: AnnotationProgramsOptions): EpisodePrograms {
  return {
    async program(run, request, place, meter, onAnswers) {
      const annotator = readAnnotator(request.method)
      const { source, episode } = readAttemptTask(place.task)
      const tenant = await tenantOf(run)
      const attempt = await read(await attempts(tenant).open(source, episode))
      const counters = await countersOf(tenant, request)
      return {
        steps: () => 0,
        async play(effects) {
          const asking = calls({ effects, request, meter, counters, ...(onAnswers && { onAnswers }) })
          await annotator.annotate(openScope(effects, asking), attempt)
        },
        async close() {},
      }
    },
    async summarise(_run, _request, _place, records) {
      return records.length === 0 ? null : summarise(records)
    },
  }
}

/** An episode's function waits only for effects, so its inputs are loaded before it begins. */
async function read(attempt: Attempt): Promise<Attempt> {
  const [tree, journal] = await Promise.all([attempt.tree(), attempt.journal()])
  return { ...attempt, tree: async () => tree, journal: async () => journal }
}

function openScope(effects: EffectScope, calls: AnnotationCalls): AnnotationScope {
  const role = 'verifier'
  return {
    maxPromptTokens: calls.choice(role).max_prompt_tokens,
    counter: countWithin(calls.counter(role), (perform) => effects.compute(perform)),
    random: (key) => effects.random(key),
    async ask(question) {
      const [answer = ''] = await calls.ask({ ...question, role })
      return answer
    },
    async keep(key, value) {
      await effects.effect<Json>(key, { settings: 'keep' }, async () => ({ result: value }))
    },
  }
}

function summarise(records: readonly JournalRecord[]) {
  return {
    tree: null,
    trajectory: null,
    reward: null,
    success: null,
    steps: 0,
    nodes: 0,
    path_length: 0,
    primitive_steps: 0,
    progress_rate: null,
    grounding_accuracy: null,
    invalid_actions: 0,
    unparsable: 0,
    answers: judgeAnswers(records).counts,
    fault: null,
    notes: [],
    actions: [],
    usage: records.reduce(
      (sum, record) => addUsage(sum, ('effect' in record && record.usage) || noUsage),
      noUsage,
    ),
  }
}
