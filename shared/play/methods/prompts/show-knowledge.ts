import type { LearnedAction } from '../../../core/contracts/library.ts'
import type { MemoryNote } from '../../../core/contracts/memory.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import type { AgentKnowledge } from './agent-prompt.ts'
import { knowledgePrompts } from './knowledge-prompts.ts'

export type ShownAction = Pick<LearnedAction, 'name' | 'parameters' | 'description' | 'notes' | 'usage'>

export function showKnowledge(
  prompts: PromptBook,
  { notes, actions }: { notes: readonly Pick<MemoryNote, 'note'>[]; actions: readonly ShownAction[] },
): AgentKnowledge {
  const shownNotes = notes.map(({ note }) => `- ${note}`).join('\n')
  const usage = actions[0]?.usage ?? ''
  return {
    notes: shownNotes === '' ? '' : prompts.fill(knowledgePrompts.notes, { notes: shownNotes }),
    actions: showActions(prompts, actions),
    functions: showFunctions(prompts, actions),
    ...(usage !== '' && { example: `Here is an example with these functions.\n\n${usage}` }),
  }
}

export function showActions(prompts: PromptBook, actions: readonly ShownAction[]): string {
  return actions.length === 0 ? '' : prompts.fill(knowledgePrompts.actions, { actions: listActions(actions) })
}

export function showFunctions(prompts: PromptBook, actions: readonly ShownAction[]): string {
  const functions = listActions(actions)
  return functions === '' ? '' : prompts.fill(knowledgePrompts.functions, { functions })
}

function listActions(actions: readonly ShownAction[]): string {
  return actions
    .flatMap(({ name, parameters, description, notes }) => [
      `- ${name}(${parameters.join(', ')}): ${description}`,
      ...notes.map((note) => `  Heed: ${note}`),
    ])
    .join('\n')
}
