// A method file imports this module as `espalier/method`, or by path in the repository. Its exports are stable.
export { z } from 'zod'
export type { LearnedAction } from '../../core/contracts/library.ts'
export type { MemoryNote } from '../../core/contracts/memory.ts'
export type { Message } from '../../core/contracts/message.ts'
export type { TreeAnswer } from '../../core/contracts/tree.ts'
export type { Random } from '../../core/random/random.ts'
export type { EnvironmentGuide } from '../../environments/environment.ts'
export { observationText, renderTranscript } from '../search/conversation.ts'
export { PromptBook } from '../search/prompt-book.ts'
export { definePrompt, type PromptTemplate } from '../search/prompt-template.ts'
export {
  actionKey,
  groupProposals,
  isUnparsable,
  type ProposalGroup,
} from '../search/proposals.ts'
export { readAnswers, readLabelled } from '../search/read-answers.ts'
export type { Asked, Proposal, ProposalRequest, Question, SearchScope } from '../search/search-scope.ts'
export { puct, selectHighest, ucb1 } from '../search/selection.ts'
export { isStopped, type StopRules } from '../search/stopping.ts'
export type { SearchNode, SearchTree } from '../search/tree.ts'
export { createValueFunction } from '../search/values/create-value-function.ts'
export { agentParameters } from './agent-parameters.ts'
export { defineMethod, type MethodDeclaration } from './define-method.ts'
export {
  addCalls,
  type CallsByTurns,
  callsAt,
  type Effort,
  type EffortBounds,
  type RoleEffort,
  scaleCalls,
  spreadCalls,
} from './effort.ts'
export type { Fork } from './fork.ts'
export { type HorizonParameter, type Method, maxStepsHorizon, type Sharing } from './method.ts'
export type { LearnScope, MethodScope } from './method-scope.ts'
export { playPath, playSideBySide, singlePathEffort } from './play-paths.ts'
export { actPrompt } from './prompts/act-prompt.ts'
export { type AgentKnowledge, type AgentPrompt, renderAgentPrompt } from './prompts/agent-prompt.ts'
export { reactPrompt } from './prompts/react-prompt.ts'
export {
  maxStepsParameter,
  proposalParameters,
  rolesOfValue,
  stopParameters,
  valueParameters,
} from './search-parameters.ts'
export { searchPrompts } from './search-prompts.ts'
export { pauseParameter, turnActionParameters } from './turn-actions.ts'
