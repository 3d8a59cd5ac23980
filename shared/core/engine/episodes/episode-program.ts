import type { AnswerCounts } from '../../contracts/answers.ts'
import type { EpisodeError, EpisodeResult } from '../../contracts/episode.ts'
import type { Json } from '../../contracts/json.ts'
import type { LearnedAction } from '../../contracts/library.ts'
import type { MemoryNote } from '../../contracts/memory.ts'
import type { Meter } from '../../contracts/meter.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import type { RunRequest } from '../../contracts/run.ts'
import type { AnswerListener } from '../answers/first-answers.ts'
import type { EffectScope } from '../effect-scope.ts'
import type { JournalRecord } from '../journal-record.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'
import type { RunPurpose } from '../runs/run-planner.ts'

export interface EpisodeProgram {
  readonly subject?: string
  play(scope: EffectScope): Promise<void>
  steps(): number
  close(): Promise<void>
}

export const unusableAnswers = 'UnusableAnswers'

export interface EpisodeSummary {
  tree: Json
  trajectory: Json | null
  /** The answer's reward, which the episode earns unless a limit on money or time ended it; null without a task. */
  reward: number | null
  success: boolean | null
  steps: number
  nodes: number
  path_length: number
  primitive_steps: number
  progress_rate: number | null
  grounding_accuracy: number | null
  invalid_actions: number
  unparsable: number
  answers: AnswerCounts
  fault: EpisodeError | null
  usage: EpisodeResult['usage']
  notes: MemoryNote[]
  actions: LearnedAction[]
}

export interface EpisodePrograms {
  program(
    run: string,
    request: RunRequest,
    place: EpisodePlace,
    meter: (choice: ModelChoice) => Meter,
    onAnswers?: AnswerListener,
  ): Promise<EpisodeProgram>
  /**
   * The version of played code outside the service's own version; null: there is none. A journal of another version
   * is not continued.
   * @default null
   */
  codeOf?(request: RunRequest, purpose: RunPurpose): string | null
  summarise(
    run: string,
    request: RunRequest,
    place: EpisodePlace,
    records: readonly JournalRecord[],
  ): Promise<EpisodeSummary | null>
}
