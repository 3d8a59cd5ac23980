import type { ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import type { ChatModel, ChatRequest } from '../../shared/play/models/chat-model.ts'
import type { TreeEntry } from '../../shared/play/search/tree-entry.ts'
import { journalRecords, type PlayOnceOptions } from './play-once.ts'
import { createTestEnvironment, type TestEnvironment } from './test-environment.ts'

/** What the environment answers where it is not just "saw" and the way there. */
export interface ScriptedStep {
  observation?: string
  reward?: number
  done?: boolean
  valid?: boolean
}

/** An environment that is written down, by the actions that lead to a state: `a/b`. */
export function scriptedEnvironment(
  steps: Readonly<Record<string, ScriptedStep>> = {},
): TestEnvironment<{ path: string[] }> {
  return createTestEnvironment<{ path: string[] }>({
    reset: () => ({ state: { path: [] }, observation: 'start' }),
    step: ({ path }, action) => {
      const next = [...path, action]
      const way = next.join('/')
      return { observation: `saw ${way}`, reward: 0, done: false, ...steps[way], state: { path: next } }
    },
  })
}

/** One call as a scripted model sees it. */
export interface ScriptedCall {
  /** `policy`, or the role by which the run names the model. */
  role: string
  /** The actions on the way that the prompt shows: `a/b`. */
  way: string
  /** What stands last in the prompt. */
  question: string
  request: ChatRequest
}

/** The roles of a run whose scripted model can see which role is asked. */
export const scriptedRoles = Object.fromEntries(
  (['value', 'debate', 'reflection'] as const).map((role) => [role, { id: role }]),
)

/** A model whose answers are written down; the calls that it got are kept in order. */
export function scriptedModel(
  answer: (call: ScriptedCall) => string | readonly string[],
): ChatModel & { calls: ScriptedCall[] } {
  const calls: ScriptedCall[] = []
  return {
    calls,
    async complete(request) {
      const call = toCall(request)
      calls.push(call)
      const answers = [answer(call)].flat()
      // Fewer answers than were asked for are given in turn.
      const choices = Array.from({ length: request.n ?? 1 }, (_, place) => ({
        content: answers[place % answers.length] as string,
        finish_reason: 'stop',
      }))
      return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
    },
  }
}

function toCall(request: ChatRequest): ScriptedCall {
  const question = request.messages.at(-1)?.content ?? ''
  const isPolicy = request.model === 'test'
  const shown = isPolicy
    ? request.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
    : [...question.matchAll(/^--- Agent, turn \d+\n([\s\S]*?)\n---/gm)].map((match) => match[1] as string)
  const way = shown.map((text) => text.split('Action: ').at(-1)?.trim() ?? '').join('/')
  return { role: isPolicy ? 'policy' : request.model, way, question, request }
}

/** An answer of the policy that takes an action. */
export const act = (action: string) => `Thought: t\nAction: ${action}`

/** A chat model, and a model that scores. */
export function withScores(model: ChatModel, score: (way: string) => number): ModelsByEndpoint {
  return {
    model: () => model,
    embedding: () => {
      throw new Error('This test has no embeddings.')
    },
    scorer: () => ({
      async score({ messages }) {
        const { way } = toCall({ model: 'value', messages } as ChatRequest)
        return { value: score(way), model_calls: 1, input_tokens: 1, cost: 0 }
      },
    }),
  }
}

/** The entries of an episode's journal. */
export async function journalEntries(options: Pick<PlayOnceOptions, 'world'>): Promise<TreeEntry[]> {
  const records = await journalRecords(options)
  return records.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
}

/** What an episode did, in its order: `took a/b`, `a/b is worth 0.5`, `goes a/b`, `2 unread`, `notes policy`. */
export async function trace(options: Pick<PlayOnceOptions, 'world'>): Promise<string[]> {
  const ways = ['']
  return (await journalEntries(options)).flatMap((entry) => {
    if ('node' in entry) {
      const { action, parent } = entry.node
      ways.push(parent === 0 ? action : `${ways[parent]}/${action}`)
      return [`took ${ways.at(-1)}`]
    }
    if ('backup' in entry) return [`${ways[entry.backup.node]} is worth ${entry.backup.value}`]
    if ('commit' in entry) return [`goes ${ways[entry.commit.node]}`]
    if ('unread' in entry) return [`${entry.unread.answers} unread`]
    return 'note' in entry ? [`notes ${entry.note.side}`] : []
  })
}
