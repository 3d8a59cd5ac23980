import type { Message } from '../../../core/contracts/message.ts'
import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import { findLabels } from '../../answers/labels.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'
import type { CodeFunction } from '../../sandbox/read-functions.ts'
import { observationText } from '../../search/conversation.ts'
import { readAnswers, readLabelled } from '../../search/read-answers.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { MethodScope } from '../method-scope.ts'
import { showExample } from '../programs/show-example.ts'
import { programTokens } from '../prompts/program-prompts.ts'
import { codeOf, type DraftAction } from './draft-action.ts'
import { type learnactPrompts, learnactPromptsBy } from './learnact-prompts.ts'
import { tryFunctions } from './try-functions.ts'

export interface Writing {
  key: string
  start: SearchNode
  known: readonly DraftAction[]
  messages: readonly Message[]
  asked: string
  answer: string
  tries: number
}

export class Learner {
  readonly #scope: MethodScope
  readonly language: ProgramLanguage
  readonly prompts: typeof learnactPrompts
  readonly introduction: Message

  constructor(scope: MethodScope, language: ProgramLanguage) {
    const { guide, prompts, rules } = scope
    this.#scope = scope
    this.language = language
    this.prompts = learnactPromptsBy[language]
    this.introduction = {
      role: 'system',
      content: prompts.fill(this.prompts.introduction, { rules, example: showExample(guide, language) }),
    }
  }

  get marked(): Pick<DraftAction, 'language'> {
    return this.language === 'javascript' ? {} : { language: this.language }
  }

  asking(content: string): Message[] {
    return [this.introduction, { role: 'user', content }]
  }

  async write({ key, messages, asked, tries, ...writing }: Writing): Promise<CodeFunction[] | null> {
    const conversation = [...messages]
    let { answer } = writing
    for (let attempt = 0; ; attempt += 1) {
      const effect = attempt === 0 ? asked : `${key}/again/${attempt}`
      const trial = await tryFunctions(this.#scope, answer, {
        ...writing,
        language: this.language,
        key: `${key}/trial/${attempt}`,
      })
      if (trial.type === 'passed') return trial.functions
      if (trial.unread) this.#scope.noteUnread(effect, 1)
      if (attempt + 1 >= tries) return null
      const again = this.#scope.prompts.fill(this.prompts.again, { error: trial.error })
      conversation.push({ role: 'assistant', content: answer }, { role: 'user', content: again })
      answer = await this.ask(`${key}/again/${attempt + 1}`, conversation)
    }
  }

  async ask(key: string, messages: readonly Message[]): Promise<string> {
    const [answer = ''] = await this.#scope.ask({
      key,
      role: 'learner',
      messages: [...messages],
      answerTokens: programTokens,
    })
    return answer
  }

  async showUse(
    key: string,
    start: SearchNode,
    functions: readonly Pick<DraftAction, 'code'>[],
  ): Promise<string> {
    const observation = observationText(start.observation)
    const code = codeOf(functions, this.language)
    const content = this.#scope.prompts.fill(this.prompts.usage, { code, observation })
    const usage = await this.read(`${key}/usage`, content, readUsage)
    return `${observation}\n\n${usage}`
  }

  async describe(key: string, { name, code }: Pick<DraftAction, 'name' | 'code'>): Promise<string> {
    const shown = codeOf([{ code }], this.language)
    const content = this.#scope.prompts.fill(this.prompts.describe, { name, code: shown })
    return this.read(`${key}/describe/${name}`, content, readDescription)
  }

  /** @throws UnreadableAnswersError */
  async read<Answer>(key: string, content: string, read: (text: string) => Answer | null): Promise<Answer> {
    const question = {
      key,
      role: 'learner' as const,
      messages: this.asking(content),
      answerTokens: programTokens,
    }
    const [answer] = await readAnswers(this.#scope, question, read)
    return answer as Answer
  }
}

/** Characters: an agent reads every description in every prompt. */
export const longestDescription = 1000

function readDescription(answer: string): string | null {
  const description = readLabelled(answer, 'Description')?.replace(/\s+/g, ' ')
  return description === undefined ? null : clipText(description, longestDescription)
}

/**
 * Reads a worked example: everything from the first `Action:` on, without code fences. Null if there is no action.
 *
 * @example
 * readUsage('Sure!\nAction: carry("ball1")\nObservation: Done.') // 'Action: carry("ball1")\nObservation: Done.'
 */
export function readUsage(answer: string): string | null {
  const plain = withoutReasoning(answer).replace(/^[ \t]*```.*$/gm, '')
  const first = findLabels(plain, 'Action').find(
    ({ leads, end }) => leads && /^[ \t]*\S/.test(plain.slice(end)),
  )
  return first === undefined ? null : plain.slice(first.start).trim()
}
