import type { EnvironmentGuide } from '../../../environments/environment.ts'
import { type ActionTool, callOfAction } from '../../../environments/tools/action-tool.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import type { PromptTemplate } from '../../search/prompt-template.ts'

export type ExampleTurn = NonNullable<EnvironmentGuide['example']>['turns'][number]

export interface AgentPrompt {
  readonly template: PromptTemplate<'rules' | 'actions' | 'notes' | 'example'>
  readonly toolsTemplate: PromptTemplate<'rules' | 'actions' | 'notes' | 'example'>
  showTurn(turn: ExampleTurn): string
}

export interface AgentKnowledge {
  actions: string
  functions?: string
  notes: string
  example?: string
  tools?: readonly ActionTool[]
}

export const noKnowledge: AgentKnowledge = { actions: '', notes: '' }

/**
 * The system prompt of an agent. The example is part of the text, not turns, so that a training row has no assistant
 * turn that the agent did not write.
 */
export function renderAgentPrompt(
  { template, toolsTemplate, showTurn }: AgentPrompt,
  book: PromptBook,
  guide: EnvironmentGuide,
  { actions, notes, example, tools }: AgentKnowledge,
): string {
  const show = tools === undefined ? showTurn : (turn: ExampleTurn) => showCall(turn, tools)
  const shown = [example ?? '', showExample(guide, show)].filter((part) => part !== '').join('\n\n')
  const used = tools === undefined ? template : toolsTemplate
  return book.fill(used, { rules: guide.rules, actions, notes, example: shown })
}

function showCall({ thought, action }: ExampleTurn, tools: readonly ActionTool[]): string {
  const call = callOfAction(action, tools)
  const shown = call === null ? action : `${call.name}(${JSON.stringify(call.arguments)})`
  return `${thought}\nCall: ${shown}`
}

function showExample({ example }: EnvironmentGuide, showTurn: AgentPrompt['showTurn']): string {
  if (example === null) return ''
  const turns = example.turns.map((turn) => `${showTurn(turn)}\nObservation: ${turn.observation}`)
  return ['Here is an example of another task.', example.observation, ...turns].join('\n\n')
}
