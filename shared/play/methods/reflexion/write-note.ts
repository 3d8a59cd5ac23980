import type { Message } from '../../../core/contracts/message.ts'
import { readAnswers, readLabelled } from '../../search/read-answers.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { MethodScope } from '../method-scope.ts'
import { reflexionPrompts } from './reflexion-prompts.ts'

/**
 * Writes one sentence on a failed attempt.
 *
 * @param end - the last node of the attempt
 * @param notes - the notes that the agent had
 * @throws UnreadableAnswersError when the model never answers in the requested form
 */
export async function writeNote(
  scope: MethodScope,
  key: string,
  end: SearchNode,
  notes: readonly string[],
): Promise<string> {
  const { prompts, rules } = scope
  const shown = notes.map((note) => `- ${note}`).join('\n')
  const earlier = shown === '' ? '' : prompts.fill(reflexionPrompts.earlier, { notes: shown })
  const transcript = await scope.transcript(end, 'reflection')
  const messages: Message[] = [
    { role: 'system', content: prompts.fill(reflexionPrompts.introduction, { rules }) },
    {
      role: 'user',
      content: prompts.fill(reflexionPrompts.note, { transcript, earlier }),
      ...scope.pictures(end, 'reflection'),
    },
  ]
  const [note = ''] = await readAnswers(scope, { key, role: 'reflection', messages }, readNote)
  return note
}

function readNote(answer: string): string | null {
  return readLabelled(answer, 'Note')?.replace(/\s+/g, ' ') ?? null
}
