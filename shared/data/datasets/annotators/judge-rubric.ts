import type { Message } from '../../../core/contracts/message.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { clipStart, clipText } from '../../../core/contracts/well-formed.ts'
import { openFence } from '../../../play/answers/fences.ts'
import { readLabelledLines } from '../../../play/answers/read-labelled.ts'
import { withoutReasoning } from '../../../play/answers/reasoning.ts'
import { estimatingCounter, type TokenCounter } from '../../../play/models/token-counter.ts'
import { PromptBook } from '../../../play/search/prompt-book.ts'
import { definePrompt } from '../../../play/search/prompt-template.ts'
import type { Annotator } from '../annotator.ts'
import { pathTo } from '../path-to.ts'
import { askAboutPath } from './transcript.ts'

const scored = /^(\d+(?:\.\d+)?)\s*(?:(?:\/|out of)\s*(\d+))?\.?$/i

const longestNote = 4000

export const judgeRubricPrompt = definePrompt({
  id: 'judge-rubric',
  purpose: 'Has the path to an episode’s answer graded by a rubric, without its reward.',
  text: `You grade what an agent did to solve a task, by a rubric. The agent and an environment take turns: the agent acts, the environment answers.

The rubric:
<<<
{{rubric}}
>>>

What was done:
{{transcript}}

Grade all that the agent did by the rubric and by nothing else, from 0, the worst, to 10, the best. Give your reasons first and the score last.

Answer in this form:
Reasons: <what speaks for and against it by the rubric, in a few sentences>
Score: <a number from 0 to 10>`,
})

const unreadable = `Your answer holds no line "Score: " with a number from 0 to 10. Give it again.

Answer in this form:
Reasons: <in a sentence>
Score: <a number from 0 to 10>`

const answerTokens = 500

export const rubricKeys = { end: 'end', judged: 'judged' }

export type RubricJudgement = { value: number; note: string } | { error: string }

/**
 * Grades the path to an episode's answer by a model. An unreadable answer is requested once more; then the episode
 * has an error and no value.
 */
export function judgeRubric(rubric: string): Annotator {
  return {
    id: 'judge-rubric',
    async annotate(scope, attempt) {
      const tree = await attempt.tree()
      await scope.keep(rubricKeys.end, attempt.end ?? null)
      const messages = await askByRubric(tree, rubric, scope.maxPromptTokens, scope.counter)
      const first = await scope.ask({ key: 'rubric', messages, answerTokens })
      let judged = readRubricScore(first)
      let last = first
      if (judged === null) {
        const again: Message[] = [
          ...messages,
          { role: 'assistant', content: first },
          { role: 'user', content: unreadable },
        ]
        last = await scope.ask({ key: 'rubric/again', messages: again, answerTokens })
        judged = readRubricScore(last)
      }
      const error = `The judge gave no score that can be read, asked twice: ${JSON.stringify(clipStart(last, 200))}`
      const kept: RubricJudgement = judged ?? { error }
      await scope.keep(rubricKeys.judged, { ...kept })
    },
  }
}

export function askByRubric(
  tree: Tree,
  rubric: string,
  maxTokens: number,
  counter: TokenCounter = estimatingCounter,
): Promise<Message[]> {
  const fits = { counter, maxTokens }
  return askAboutPath(tree, pathTo(tree, tree.best), fits, (transcript) => ({
    role: 'user',
    content: new PromptBook().fill(judgeRubricPrompt, { rubric, transcript }),
  }))
}

/**
 * Reads the score in a judge's answer, as a value from 0 to 1: of the last line `Score: 7`, `Score: 7.5` or `Score:
 * 7/10`. The words before it are its reasons.
 *
 * @returns null if there is none, or it is no number from 0 to 10
 */
export function readRubricScore(answer: string): { value: number; note: string } | null {
  const said = withoutReasoning(answer)
  const last = readLabelledLines(said, 'score', { equals: true })
    .map(({ start, value }) => ({ start, found: scored.exec(value.replace(/[*_`]/g, '').trim()) }))
    .findLast(({ found }) => found !== null)
  if (last === undefined) return null
  const [, given, of = '10'] = last.found ?? []
  const score = Number(given)
  if (of !== '10' || score > 10) return null
  const [reasons] = readLabelledLines(said, 'reasons?')
  const isFirst = reasons !== undefined && said.slice(0, reasons.start).trim() === ''
  const before = withoutOpenFence(said.slice(isFirst ? reasons.end : 0, last.start).trim())
  return { value: score / 10, note: clipText(before, longestNote) }
}

function withoutOpenFence(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  return openFence(text.slice(start)) === null ? text : text.slice(0, start).trim()
}
