import type { Message } from '../../core/contracts/message.ts'
import { createRandom, digestText, mixNumber } from '../../core/random/random.ts'
import { choose } from '../../core/random/shuffled.ts'
import type { Policy } from '../../environments/simulated/policy.ts'
import { players, translatePrompt } from './players.ts'
import { answerQuestion } from './questions/answer-question.ts'
import { gradeAnswer } from './questions/grade-answer.ts'
import { readForm } from './questions/read-form.ts'
import { withoutAdvice } from './questions/without-advice.ts'

export interface SimulatedSettings {
  skill: number
  seed: number
}

export interface Sample {
  /** The request's seed. All requests without one get the same sample. */
  seed: number
  choice: number
}

export function answerPrompt(
  messages: readonly Message[],
  settings: SimulatedSettings,
  sample: Sample,
): string {
  const seed = seedOf(messages, settings, sample)
  const prompt = inOneLayout(messages)
  const translation = translatePrompt(prompt)
  return translation === null
    ? answerPlain(prompt, settings, seed)
    : translation.answer(answerPlain(translation.messages, settings, seed))
}

function answerPlain(messages: readonly Message[], settings: SimulatedSettings, seed: number): string {
  const grade = gradeAnswer(messages, settings.skill, createRandom(seed))
  if (grade !== null) return grade
  const answer = answerQuestion(messages, settings.skill, createRandom(seed))
  if (answer !== null) return answer
  const clear = withoutAdvice(messages)
  for (const policy of [...players, validActionsPolicy]) {
    const text = policy.answer(clear, settings.skill, createRandom(seed))
    if (text !== null) return inForm(text, messages)
  }
  return ''
}

function inForm(text: string, messages: readonly Message[]): string {
  const form = readForm(messages)
  const action = text.lastIndexOf('\nAction: ')
  return form?.kind === 'action' && !form.withThought && action >= 0 ? text.slice(action + 1) : text
}

export function seedOf(messages: readonly Message[], { seed }: SimulatedSettings, sample: Sample): number {
  return mixNumber(mixNumber(digestPrompt(messages, seed), sample.seed), sample.choice + 1)
}

export function digestPrompt(messages: readonly Message[], seed: number): number {
  let digest = mixNumber(0x811c9dc5, seed)
  for (const message of messages) digest = digestText(message.content, digestText(message.role, digest))
  return digest
}

const thoughts = [
  'I will try what looks most useful here.',
  'One of the offered actions should bring me further.',
  'Let me see what this does.',
]

/**
 * Answers prompts that no other policy recognizes by picking an action from the newest list. A list is `AVAILABLE
 * ACTIONS: a, b` on one line, or `Valid actions:` with a line for each. Skill has no effect.
 */
const validActionsPolicy: Policy = {
  name: 'valid-actions',
  answer(messages, _skill, random) {
    for (const message of messages.toReversed()) {
      const action = message.role === 'assistant' ? undefined : choose(readActions(message.content), random)
      if (action !== undefined) return `Thought: ${choose(thoughts, random)}\nAction: ${action}`
    }
    return 'I have nothing to go by here, so this is a short answer from the simulated model.'
  },
}

function readActions(content: string): string[] {
  const heading = /(?:valid|available|admissible|possible) actions?[^\n:]*:[ \t]*/gi
  let list: string | undefined
  for (const match of content.matchAll(heading)) list = content.slice(match.index + match[0].length)
  if (list === undefined) return []
  const [line = ''] = list.split('\n', 1)
  if (line.trim() !== '') return clean(line.replace(/^\[|\]\.?\s*$/g, '').split(','))
  const [block = ''] = list.trimStart().split(/\n\s*\n/, 1)
  return clean(block.split('\n'))
}

function clean(actions: string[]): string[] {
  return actions
    .map((action) => action.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .map((action) => action.replace(/^(['"`])(.*)\1$/, '$2'))
    .filter((action) => action !== '')
}

/**
 * The mark of an observation in ETO's layout (Song et al. 2024). Every observation of a task but the first has it.
 */
const mark = /^Observation:\s/

const fewShot = /^The first (\d+) turns below are examples of other tasks\.$/m

/**
 * Converts a prompt to the policies' layout: the rules in a system text, and the turns of its own task.
 *
 * A prompt in ETO's layout begins with a user turn answered with `OK`, and plays an example before the task. The task
 * begins with the last user turn that is not an observation.
 */
function inOneLayout(messages: readonly Message[]): readonly Message[] {
  const [instruction, agreement] = messages
  const shots = fewShot.exec(instruction?.role === 'system' ? instruction.content : '')?.[1]
  if (shots !== undefined) return messages.toSpliced(1, Number(shots))
  if (instruction?.role !== 'user' || agreement?.role !== 'assistant' || agreement.content !== 'OK') {
    return messages
  }
  const start = messages.findLastIndex(({ role, content }) => role === 'user' && !isMarked(content))
  const turns = messages
    .slice(start)
    .map((message) =>
      message.role === 'user' ? { ...message, content: withoutMark(message.content) } : message,
    )
  return [{ role: 'system', content: instruction.content }, ...turns]
}

const advice = '[END OF ADVICE]\n\n'

/** Advice stands before the environment's last answer. */
function isMarked(content: string): boolean {
  return mark.test(shownIn(content))
}

function withoutMark(content: string): string {
  const shown = shownIn(content)
  return content.slice(0, content.length - shown.length) + shown.replace(mark, '')
}

function shownIn(content: string): string {
  const end = content.lastIndexOf(advice)
  return end < 0 ? content : content.slice(end + advice.length)
}
