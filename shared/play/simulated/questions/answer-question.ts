import type { Message } from '../../../core/contracts/message.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import type { Random } from '../../../core/random/random.ts'
import type { Outlook } from '../../../environments/simulated/expert.ts'
import { knownFunctionNames, listedFunctions } from '../../../environments/simulated/learned-call.ts'
import { readAction } from '../../../environments/simulated/policy.ts'
import { lookAt } from '../players.ts'
import { type Occasion, writeText } from './free-text.ts'
import { writeJudgement } from './judgement.ts'
import { type Form, readForm } from './read-form.ts'
import { readTranscript } from './read-transcript.ts'
import { rewriteTurn, writeOption } from './rewrite-turn.ts'
import { writeVerdict } from './verdict.ts'
import { withoutAdvice } from './without-advice.ts'
import { writeExpertProgram, writeFunctions } from './write-code.ts'
import { writeRevision } from './write-revision.ts'
import { writeScore } from './write-score.ts'
import { writeDescription, writeUsage } from './write-usage.ts'

export function answerQuestion(messages: readonly Message[], skill: number, random: Random): string | null {
  const form = readForm(messages)
  if (form === null || form.kind === 'action') return null
  const clear = withoutAdvice(messages)
  if (form.kind !== 'labels') {
    const outlook = lookAt(beforeAnswers(clear))
    if (form.kind === 'functions') return writeFunctions(outlook, skill, random)
    const defined = knownFunctionNames(outlook, listedFunctions(clear))
    return writeExpertProgram(outlook, defined, skill, random)
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
  const outlook = lookAt(turns ?? [{ role: 'user', content: shown }])
  if (labels.includes('Decision')) return writeRevision(shown, subject ?? '', outlook, skill, random)
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

/** A program is written from the task's beginning, because errors of earlier programs do not change the task. */
function beforeAnswers(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role === 'assistant')
  return first < 0 ? messages : messages.slice(0, first)
}
