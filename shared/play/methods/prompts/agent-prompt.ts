import type { EnvironmentGuide } from '../../../environments/environment.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import type { PromptTemplate } from '../../search/prompt-template.ts'

export type ExampleTurn = NonNullable<EnvironmentGuide['example']>['turns'][number]

export interface AgentPrompt {
  readonly template: PromptTemplate<'rules' | 'actions' | 'notes' | 'example'>
  showTurn(turn: ExampleTurn): string
}

export interface AgentKnowledge {
  actions: string
  functions?: string
  notes: string
  example?: string
}

export const noKnowledge: AgentKnowledge = { actions: '', notes: '' }

/**
 * The system prompt of an agent. The example is part of the text, not turns, so that a training row has no assistant
 * turn that the agent did not write.
 */
export function renderAgentPrompt(
  { template, showTurn }: AgentPrompt,
  book: PromptBook,
  guide: EnvironmentGuide,
  { actions, notes, example }: AgentKnowledge,
): string {
  const shown = [example ?? '', showExample(guide, showTurn)].filter((part) => part !== '').join('\n\n')
  return book.fill(template, { rules: guide.rules, actions, notes, example: shown })
}

function showExample({ example }: EnvironmentGuide, showTurn: AgentPrompt['showTurn']): string {
  if (example === null) return ''
  const turns = example.turns.map((turn) => `${showTurn(turn)}\nObservation: ${turn.observation}`)
  return ['Here is an example of another task.', example.observation, ...turns].join('\n\n')
}
