import type { Message } from '../../../core/contracts/message.ts'
import { observationText } from '../../search/conversation.ts'
import { orNone, readAnswers, readLabelled } from '../../search/read-answers.ts'
import type { SearchNode } from '../../search/tree.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import type { LearnScope, MethodScope } from '../method-scope.ts'
import { type Path, playSideBySide } from '../play-paths.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { agents, agentTemplates } from '../prompts/agents.ts'
import { knowledgePrompts } from '../prompts/knowledge-prompts.ts'
import { prefixTemplates } from '../prompts/prefix-prompts.ts'
import { showKnowledge } from '../prompts/show-knowledge.ts'
import { knowEarlier, learnFirst } from '../training-parameters.ts'
import {
  type ReflexionParameters,
  reflexionEffort,
  reflexionLearningEffort,
  reflexionParameters,
} from './reflexion-parameters.ts'
import { reflexionPrompts } from './reflexion-prompts.ts'

export const reflexion: Method<ReflexionParameters> = {
  id: 'reflexion',
  description:
    'One trajectory by an agent that reads what went wrong before: in other tasks, or in the same one.',
  source:
    'Shinn et al. 2023, Reflexion (arXiv 2303.11366), with `retry`; without it, the baseline of Zhao et al. 2024, LearnAct (arXiv 2402.15809)',
  parameters: reflexionParameters,
  prompts: [
    ...agentTemplates,
    ...prefixTemplates,
    knowledgePrompts.notes,
    ...Object.values(reflexionPrompts),
  ],
  branches: false,
  horizon: () => maxStepsHorizon,
  extendable: ({ retry }) => (retry > 0 ? ['retry'] : ['max_steps']),
  answer: () => 'last',
  system: ({ agent }, ...parts) => renderAgentPrompt(agents[agent], ...parts),
  roles: ({ memory_from, retry }) => (memory_from === undefined || retry > 0 ? ['reflection'] : []),
  effort: reflexionEffort,
  learningEffort: reflexionLearningEffort,
  sharing({ memory_from: id, notes: most, retry, ...training }) {
    if (id !== undefined) return knowEarlier({ kind: 'memory', param: 'memory_from', id, most })
    return retry > 0 ? null : learnFirst('memory', training)
  },

  async play(scope, parameters) {
    const { max_steps = scope.defaultMaxSteps, notes: most, retry, ...settings } = parameters
    const own: string[] = []
    for (let attempt = 0; ; attempt += 1) {
      const path = { from: scope.tree.root, key: `sample/${attempt}`, maxSteps: max_steps, rules: settings }
      const notes = [...scope.notes.map(({ note }) => note), ...own.slice(-most)]
      const withNotes = own.length === 0 ? {} : { system: renderNotes(scope, parameters, notes) }
      const [end] = await playSideBySide(scope, [{ ...path, ...withNotes }])
      if (end === undefined || scope.tree.isSolved || attempt === retry) return
      const note = await orNone(writeNote(scope, `note/${attempt}`, end, notes))
      if (note !== null) own.push(note)
    }
  },

  async learn(scope, parameters) {
    const notes: string[] = []
    while (notes.length < parameters.notes) {
      const key = `note/${notes.length}`
      const paths = await beginTraining(scope, parameters, notes)
      const ends = await playSideBySide(scope, paths)
      const failed = ends.findIndex(({ reward }) => reward < scope.tree.successThreshold)
      const [path, end] = [paths[failed], ends[failed]]
      if (!path || !end) return
      const note = await orNone(writeNote(scope, key, end, notes))
      if (note === null) return
      const observation = observationText(path.from.observation)
      const { objective } = scope.describe(scope.training[failed] as string)
      await scope.remember({ side: 'task', objective, observation, action: null, note, surprise: null }, key)
      notes.push(note)
    }
  },
}

async function beginTraining(
  scope: LearnScope,
  parameters: ReflexionParameters,
  notes: readonly string[],
): Promise<Path[]> {
  const { train_steps, ...rules } = parameters
  const paths: Path[] = []
  for (const task of scope.training) {
    const system = renderNotes(
      { prompts: scope.prompts, guide: scope.describe(task).guide },
      parameters,
      notes,
    )
    const from = await scope.begin(task, `Begin ${task} with ${notes.length} notes`)
    paths.push({ from, key: 'sample/0', system, maxSteps: train_steps, rules })
  }
  return paths
}

function renderNotes(
  { guide, prompts }: Pick<MethodScope, 'guide' | 'prompts'>,
  { agent }: ReflexionParameters,
  notes: readonly string[],
): string {
  const knowledge = showKnowledge(prompts, { notes: notes.map((note) => ({ note })), actions: [] })
  return renderAgentPrompt(agents[agent], prompts, guide, knowledge)
}

/**
 * Writes one sentence on a failed attempt.
 *
 * @param end - the last node of the attempt
 * @param notes - the notes that the agent had
 * @throws UnreadableAnswersError when the model never answers in the requested form
 */
async function writeNote(
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
