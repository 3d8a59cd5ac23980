import type { ActionLineage } from '../../../core/contracts/library.ts'
import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import { unfence } from '../../answers/fences.ts'
import { readLabelled, readLabelledLines } from '../../answers/read-labelled.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'
import type { CodeFunction } from '../../sandbox/read-functions.ts'
import { startedCall } from '../../sandbox/started-call.ts'
import { observationText } from '../../search/conversation.ts'
import { orNone } from '../../search/read-answers.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { LearnScope } from '../method-scope.ts'
import { readProgram } from '../programs/read-program.ts'
import { codeOf, type DraftAction } from './draft-action.ts'
import type { LearnactParameters } from './learnact-parameters.ts'
import type { Learner } from './learner.ts'

const decided = /^[*_`]*(update|note)\b[ \t`"'*_]*([\w$]*)/i

export interface FailedCall {
  actions: readonly DraftAction[]
  start: SearchNode
  call: SearchNode
}

/**
 * Revision: changes a set of actions after a failed call, in several independent concurrent candidates. Each updates
 * or adds functions, or adds a note on calling one. Leaves out candidates that cannot be created.
 *
 * @param round - 1 for the first revision
 * @see Zhao et al. 2024, LearnAct (arXiv 2402.15809)
 */
export async function reviseActions(
  scope: LearnScope,
  learner: Learner,
  failed: FailedCall,
  round: number,
  { candidates, tries }: Pick<LearnactParameters, 'candidates' | 'tries'>,
): Promise<DraftAction[][]> {
  const content = await showFailure(scope, learner, failed)
  // Candidate 0 of the next evaluation is the unchanged set.
  const making = Array.from({ length: candidates }, (_, place) =>
    orNone(reviseSet(learner, failed, content, { round, candidate: place + 1, tries })),
  )
  return (await Promise.all(making)).filter((set) => set !== null)
}

async function showFailure(
  scope: LearnScope,
  learner: Learner,
  { actions, call }: FailedCall,
): Promise<string> {
  const { prompts, tree } = scope
  const action = call.action ?? ''
  const names = actions.map(({ name }) => name)
  const trace = (call.primitives ?? []).flatMap((step) => [
    `Action: ${step.action}`,
    `Observation: ${step.observation}`,
  ])
  return prompts.fill(learner.prompts.revise, {
    code: codeOf(actions, learner.language),
    history: await scope.transcript(tree.node(call.parent as number), 'learner'),
    call: action,
    name: startedCall(action, names) ?? '',
    error: observationText(call.observation),
    trace: trace.length === 0 ? 'none' : trace.join('\n'),
  })
}

async function reviseSet(
  learner: Learner,
  { actions, start }: FailedCall,
  content: string,
  { round, candidate, tries }: { round: number; candidate: number; tries: number },
): Promise<DraftAction[] | null> {
  const key = `revise/${round}/${candidate}`
  const names = actions.map(({ name }) => name)
  const asked = `${key}/decision`
  const revision = await learner.read(asked, content, (text) => readRevision(text, names, learner.language))
  const { reason } = revision
  if (revision.decision === 'note') {
    return addNote(actions, revision, { round, candidate, change: 'noted', reason })
  }
  const messages = learner.asking(content)
  const { answer } = revision
  const functions = await learner.write({ key, start, known: actions, messages, asked, answer, tries })
  return functions === null
    ? null
    : update(learner, { key, start, actions, functions }, { round, candidate, reason })
}

function addNote(
  actions: readonly DraftAction[],
  { name, note }: Extract<Revision, { decision: 'note' }>,
  change: ActionLineage,
): DraftAction[] {
  return actions.map((action) =>
    action.name === name
      ? { ...action, notes: [...action.notes, note], lineage: [...action.lineage, change] }
      : action,
  )
}

async function update(
  learner: Learner,
  {
    key,
    start,
    actions,
    functions,
  }: { key: string; start: SearchNode; actions: readonly DraftAction[]; functions: readonly CodeFunction[] },
  where: Omit<ActionLineage, 'change'>,
): Promise<DraftAction[]> {
  const written = new Map(functions.map((each) => [each.name, each]))
  const old = new Map(actions.map((action) => [action.name, action]))
  const all = [...new Set([...old.keys(), ...written.keys()])]
  const whole = all.map((name) => (written.get(name) ?? old.get(name)) as { code: string })
  const [usage, ...descriptions] = await Promise.all([
    learner.showUse(key, start, whole),
    ...functions.map((each) => learner.describe(key, each)),
  ])
  return all.map((name) => {
    const before = old.get(name)
    const now = written.get(name)
    if (now === undefined) return { ...(before as DraftAction), usage }
    const change: ActionLineage = { ...where, change: before ? 'updated' : 'created' }
    return {
      name,
      parameters: now.parameters,
      code: now.code,
      ...learner.marked,
      description: descriptions[functions.indexOf(now)] as string,
      usage,
      notes: [],
      lineage: [...(before?.lineage ?? []), change],
    }
  })
}

type Revision = { reason: string | null } & (
  | { decision: 'update'; answer: string }
  | { decision: 'note'; name: string; note: string }
)

/**
 * Reads a revision from an answer: code for one function or several, or a note on calling an existing one. Null for
 * anything else; the last decision counts.
 *
 * @param names - names of the existing functions
 * @example
 * readRevision('Reason: The arm was full.\nDecision: note carry\nNote: Use the free arm.', ['carry'])
 * // { reason: 'The arm was full.', decision: 'note', name: 'carry', note: 'Use the free arm.' }
 */
export function readRevision(
  answer: string,
  names: readonly string[],
  language: ProgramLanguage = 'javascript',
): Revision | null {
  const said = unfence(withoutReasoning(answer))
  const last = readLabelledLines(said, 'Decision')
    .map((line) => ({ ...line, decided: decided.exec(line.value) }))
    .findLast((line) => line.decided !== null)
  if (last === undefined) return null
  const [, decision = '', name = ''] = last.decided ?? []
  const rest = said.slice(last.after)
  const reason = readLabelled(said.slice(0, last.start), 'Reason')?.replace(/\s+/g, ' ') ?? null
  if (decision.toLowerCase() === 'update') {
    return readProgram(rest, language) === null ? null : { reason, decision: 'update', answer }
  }
  const note = readLabelled(rest, 'Note')?.replace(/\s+/g, ' ')
  return note === undefined || !names.includes(name) ? null : { reason, decision: 'note', name, note }
}
