import type { Message } from '../../../core/contracts/message.ts'
import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Outlook } from '../../../environments/simulated/expert.ts'
import { knownFunctionNames, listedFunctions } from '../../../environments/simulated/learned-call.ts'
import { readAction } from '../../../environments/simulated/policy.ts'
import { pythonOutlook } from '../../../environments/simulated/python-outlook.ts'
import { lookAt } from '../players.ts'
import { type Occasion, writeText } from './free-text.ts'
import { type Form, readForm } from './read-form.ts'
import { readTranscript } from './read-transcript.ts'
import { fallible, gradeState, type VerdictLetter, writeVerdict } from './verdict.ts'
import { withoutAdvice } from './without-advice.ts'
import { fenced, type Written, withBlunder, writeExpertProgram, writeFunctions } from './write-code.ts'

export function answerQuestion(messages: readonly Message[], skill: number, random: Random): string | null {
  const form = readForm(messages)
  if (form === null || form.kind === 'action') return null
  const clear = withoutAdvice(messages)
  if (form.kind !== 'labels') {
    const written = { language: languageOf(clear.map(({ content }) => content).join('\n')), skill }
    const outlook = outlookIn(written.language, lookAt(beforeAnswers(clear)))
    if (form.kind === 'functions') return writeFunctions(outlook, written, random)
    const defined = knownFunctionNames(outlook, listedFunctions(clear))
    return writeExpertProgram(outlook, defined, written, random)
  }
  const shown = clear.findLast(({ role }) => role !== 'assistant')?.content ?? ''
  return answerLabels(form, shown, skill, random)
}

function answerLabels(
  { labels, subject }: Extract<Form, { kind: 'labels' }>,
  shown: string,
  skill: number,
  random: Random,
): string {
  if (labels.includes('Status code')) return writeVerdict(shown, skill, random)
  if (labels.join() === 'Reasons,Score') return writeScore(shown, skill, random)
  if (labels.includes('Judgement')) return writeJudgement(shown, skill, random)
  if (labels.includes('Description')) return writeDescription(shown)
  if (labels.includes('Option')) return writeOption(shown, random)
  if (labels.join() === 'Thought,Action') return rewriteTurn(shown, skill, random)
  const turns = readTranscript(shown)
  const language = languageOf(shown)
  const outlook = outlookIn(language, lookAt(turns ?? [{ role: 'user', content: shown }]))
  if (labels.includes('Decision')) {
    return writeRevision(shown, subject ?? '', outlook, { language, skill }, random)
  }
  if (labels.includes('Observation')) return writeUsage(outlook, random)
  return labels.map((label) => writeText(label, occasionOf(shown, turns, outlook), random)).join('\n')
}

function occasionOf(shown: string, turns: readonly Message[] | null, outlook: Outlook | null): Occasion {
  const named = /the agent (?:does|did) this:\n([\s\S]*?)(?:\n\n|\nIt was to be expected|$)/.exec(shown)?.[1]
  const last = turns?.findLast(({ role }) => role === 'assistant')?.content
  const outcome = /^What came of it: (.*)/m.exec(shown)?.[1]
  const answer = outcome ?? turns?.at(-1)?.content.split('\n').at(-1) ?? ''
  return {
    goal: outlook?.goal ?? 'do what was asked',
    action: actionIn(named) ?? actionIn(last) ?? 'the first step',
    answer: answer.length > 120 ? `${clipText(answer, 120)}…` : answer,
    isAgainst: /was a mistake|did not help, and/.test(shown),
  }
}

function actionIn(answer = ''): string | null {
  const line = answer.trim().split('\n').at(-1) ?? ''
  return readAction(answer) ?? (line === '' ? null : line)
}

function languageOf(prompt: string): ProgramLanguage {
  return prompt.includes('```python') ? 'python' : 'javascript'
}

function outlookIn(language: ProgramLanguage, outlook: Outlook | null): Outlook | null {
  return outlook !== null && language === 'python' ? pythonOutlook(outlook) : outlook
}

/** A program is written from the task's beginning, because errors of earlier programs do not change the task. */
function beforeAnswers(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role === 'assistant')
  return first < 0 ? messages : messages.slice(0, first)
}

const scores: Readonly<Record<VerdictLetter, readonly number[]>> = {
  A: [9, 10],
  B: [6, 7, 8],
  C: [4, 5, 6],
  D: [2, 3, 4],
  E: [0, 1, 2],
}

function writeScore(shown: string, skill: number, random: Random): string {
  const letter = fallible(gradeState(readTranscript(shown) ?? []), skill, random)
  const reason = letter === 'A' ? 'the environment confirms the goal' : 'the goal is not confirmed'
  const view = choose(['Going by what the environment answered', 'Looking at all turns'], random)
  return `Reasons: ${view}, ${reason}.\nScore: ${choose(scores[letter], random) ?? 5}`
}

/**
 * Corrects a function after a failed call, or writes a usage note if the function itself is right. With probability 1
 * - skill the correction is wrong.
 *
 * @param shown - the prompt, with the failed code
 */
function writeRevision(
  shown: string,
  subject: string,
  outlook: Outlook | null,
  { language, skill }: Written,
  random: Random,
): string {
  const right = outlook?.functions.find(({ name }) => name === subject)
  const reason = choose(
    ['The environment refused one of its steps.', 'What one of its steps needs was not given when it came.'],
    random,
  )
  if (right === undefined || shown.includes(right.code)) {
    return `Reason: ${reason}\nDecision: note ${subject}\nNote: Call ${subject} only when everything is as its comment asks for, with names exactly as they are shown.`
  }
  const code = random() < skill ? right.code : withBlunder(right, random)
  return `Reason: ${reason}\nDecision: update ${subject}\n${fenced(code, language)}`
}

const seen = [
  'All of it was done, and nothing was refused.',
  'It went as it should.',
  'Every step of it was taken.',
]

function writeUsage(outlook: Outlook | null, random: Random): string {
  const actions = (outlook?.usage?.() ?? outlook?.statements() ?? ['look around']).map(
    (statement) => /^act\("(.*)"\)$/.exec(statement)?.[1] ?? statement,
  )
  return actions.map((action) => `Action: ${action}\nObservation: ${choose(seen, random)}`).join('\n')
}

function writeDescription(shown: string): string {
  const [, name = 'It'] = /^(?:(?:async )?function|def) (\w+)/m.exec(shown) ?? []
  const [, comment = 'Does a larger step of the task.'] =
    /\/\*\*([\s\S]*?)\*\//.exec(shown) ?? /"""([\s\S]*?)"""/.exec(shown) ?? []
  const words = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, '').replace(/^@param (\w+) - (.*)$/, '$1 is $2.'))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  return `Description: ${name} does this: ${words}`
}

function writeOption(shown: string, random: Random): string {
  const letters = [...shown.matchAll(/^([A-Z])\) /gm)].map(([, letter = '']) => letter)
  const reason = choose(
    [
      'It is about what is seen here',
      'It speaks for what is done next',
      'The others say less about this state',
    ],
    random,
  )
  return `Reason: ${reason}.\nOption: ${choose(letters, random) ?? 'A'}`
}

const ways: readonly ((thought: string) => string)[] = [
  (thought) => thought,
  (thought) => `I look at where I stand. ${thought}`,
  (thought) => `${thought} So I do this next.`,
]

function rewriteTurn(shown: string, skill: number, random: Random): string {
  const turn = [...shown.matchAll(/<<<\n([\s\S]*?)\n>>>/g)].at(-1)?.[1] ?? ''
  const start = turn.lastIndexOf('Action:')
  const [before, action] = start < 0 ? ['', turn] : [turn.slice(0, start), turn.slice(start)]
  const thought = before
    .replace(/^Thought:/, '')
    .replace(/\bTaking stock: /g, '')
    .replace(/\bthe agent is\b/gi, 'I am')
    .replace(/\bthe agent(?:'s)?\b/gi, (words) => (words.endsWith("'s") ? 'my' : 'I'))
    .trim()
  const way = choose(ways, random) ?? ways[0]
  return `Thought: ${way?.(thought)}\n${random() < skill ? action : `${action} again`}`
}

type Judgement = 'Good' | 'Bad' | 'Uncertain'

const reasons: Readonly<Record<Judgement, readonly string[]>> = {
  Good: [
    'The environment took the action, and it leads towards the goal',
    'The step was needed for the task',
  ],
  Bad: [
    'The environment refused the action, or nothing came of it',
    'The step brought nothing that the task needs',
  ],
  Uncertain: ['Nothing shows whether the step was needed', 'What is shown does not tell enough'],
}

function writeJudgement(shown: string, skill: number, random: Random): string {
  const judgement = judgementOf(readTranscript(shown) ?? [], skill, random)
  const reason = choose(reasons[judgement], random) ?? ''
  const view = choose(['Going by what the environment answered', 'Looking at the turns before it'], random)
  return `Reasons: ${view}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.\nJudgement: ${judgement}`
}

function judgementOf(turns: readonly Message[], skill: number, random: Random): Judgement {
  const right = gradeState(turns)
  if (right === null) return isUnchanged(turns) ? 'Bad' : 'Uncertain'
  const letter = fallible(right, skill, random)
  return letter === 'D' || letter === 'E' ? 'Bad' : 'Good'
}

function isUnchanged(turns: readonly Message[]): boolean {
  const [before, now] = turns.filter(({ role }) => role === 'user').slice(-2)
  return now !== undefined && before?.content === now.content
}
