import type { LearnedAction } from '../../core/contracts/library.ts'
import type { MemoryNote } from '../../core/contracts/memory.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { TreeAnswer } from '../../core/contracts/tree.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import type { PictureStore } from '../../core/pictures/picture-store.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { PromptBook } from '../search/prompt-book.ts'
import type { EpisodeMemory } from './memory/episode-memory.ts'
import type { ModelCalls } from './model-calls.ts'
import type { NodeStates } from './node-states.ts'
import type { AnswerStyle } from './parse-answer.ts'
import type { prefixPrompts } from './prompts/prefix-prompts.ts'
import type { ToolDialect } from './tool-dialect.ts'
import type { TurnActions } from './turn-actions.ts'

export interface PlayedEpisode {
  environment: string
  success_threshold: number
  task: string
  objective: string
  guide: EnvironmentGuide
  method: string
  answer: TreeAnswer
  system: string
  style?: AnswerStyle
  /** The example as turns, if prompts have ETO's layout; absent: the prompt begins with a system text. */
  exampleTurns?: readonly Message[]
  fewShot?: { note: string; turns: readonly Message[] }
  tools?: ToolDialect
  prefix?: keyof typeof prefixPrompts
  isSearch?: true
  /** See `EnvironmentFacts.closing_action`. */
  closing?: string
  defaultMaxSteps: number
  turnActions?: TurnActions
  describe(task: string): { guide: EnvironmentGuide; objective: string }
  training: readonly string[]
  notes: readonly MemoryNote[]
  actions: readonly LearnedAction[]
}

export interface EpisodeParts {
  effects: EffectScope
  states: NodeStates
  calls: ModelCalls
  memory: EpisodeMemory
  prompts: PromptBook
  sandbox: Sandbox | null
  pictures: PictureStore
}
