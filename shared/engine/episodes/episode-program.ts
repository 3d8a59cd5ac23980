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

/**
 * What the engine plays without knowing it: the function of an episode, and what to make of its journal. Methods and
 * environments stand behind it.
 */
export interface EpisodeProgram {
  /** What messages about its code name, such as a method of a file. @default `The episode` */
  readonly subject?: string
  play(scope: EffectScope): Promise<void>
  /** Environment steps so far. */
  steps(): number
  /** Gives back what the program holds outside, such as sessions; called once, when this worker's turn is over. */
  close(): Promise<void>
}

/** The name of the error of an episode whose every answer was of no use. */
export const unusableAnswers = 'UnusableAnswers'

/** What a journal amounts to. */
export interface EpisodeSummary {
  /** Null of an episode that plays nothing. */
  tree: Json
  trajectory: Json | null
  /** Of the answer: what the episode earns unless a limit on money or time ended it; null of one that plays no task. */
  reward: number | null
  success: boolean | null
  steps: number
  nodes: number
  path_length: number
  /** These six: see `episodeResultSchema`. */
  primitive_steps: number
  progress_rate: number | null
  grounding_accuracy: number | null
  invalid_actions: number
  unparsable: number
  answers: AnswerCounts
  /** Why nothing that it did can be scored; null where it can. */
  fault: EpisodeError | null
  usage: EpisodeResult['usage']
  /** What it leaves for later episodes, a pure function of the journal like all of this. */
  notes: MemoryNote[]
  actions: LearnedAction[]
}

/** Makes programs; given by the entry point that wires environments, methods and models. */
export interface EpisodePrograms {
  program(
    run: string,
    request: RunRequest,
    place: EpisodePlace,
    meter: (choice: ModelChoice) => Meter,
    onAnswers?: AnswerListener,
  ): Promise<EpisodeProgram>
  /**
   * The version of code that is played and that the version of this service does not name; null: there is none. A journal that
   * another version wrote is not continued.
   *
   * @default null
   */
  codeOf?(request: RunRequest, purpose: RunPurpose): string | null
  /** Null while nothing is written yet. */
  summarise(
    run: string,
    request: RunRequest,
    place: EpisodePlace,
    records: readonly JournalRecord[],
  ): Promise<EpisodeSummary | null>
}
