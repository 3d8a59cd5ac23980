import type { Message } from '../../../core/contracts/message.ts'
import type { Committed } from '../../search/commit-path.ts'
import { observationText } from '../../search/conversation.ts'
import { isUnparsable } from '../../search/proposals.ts'
import { orNone, readAnswers, readLabelled } from '../../search/read-answers.ts'
import type { SearchNode } from '../../search/tree.ts'
import { failureOutcomes } from '../../search/values/statuses.ts'
import type { ValueFunction } from '../../search/values/value-function.ts'
import type { MethodScope } from '../method-scope.ts'
import { reflectionPrompts } from './reflection-prompts.ts'
import type { RmctsParameters } from './rmcts.ts'
import { type CommittedStep, isSolved, mostSurprising, policySurprise, valueSurprise } from './surprise.ts'

/**
 * Contrastive reflection at the end of a task. Turns each of the committed actions with the most surprising outcomes
 * into advice, for the value function and for the policy. Leaves out an unreadable reflection; the task keeps its
 * result.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), contrastive reflection
 */
export async function reflect(
  scope: MethodScope,
  committed: readonly Committed[],
  values: ValueFunction,
  parameters: RmctsParameters,
): Promise<void> {
  if (committed.length === 0) return
  const solved =
    parameters.success === 'environment' ? scope.tree.isSolved : isSolved(committed.map(({ q }) => q))
  const score = solved ? 1 : values.least
  const steps = committed.map(
    ({ node, q, next_value }): CommittedStep => ({ q, next_value, reflectable: !isUnparsable(node) }),
  )
  const {
    policy_notes,
    policy_surprise,
    policy_threshold,
    reflect_policy,
    reflect_value,
    value_notes,
    value_threshold,
  } = parameters
  // Without reasons for a value there is nothing to reflect on.
  const explained = steps.map((step, place) => ({
    ...step,
    reflectable: step.reflectable && values.accountOf((committed[place] as Committed).node) !== null,
  }))
  const forValues = mostSurprising(valueSurprise(explained, score), {
    threshold: reflect_value ? value_threshold : Number.POSITIVE_INFINITY,
    most: value_notes,
  })
  const failure = parameters.scale === undefined ? 0 : failureOutcomes[parameters.scale]
  const forPolicy = mostSurprising(policySurprise(steps, solved ? 1 : failure, policy_surprise), {
    threshold: reflect_policy ? policy_threshold : Number.POSITIVE_INFINITY,
    most: policy_notes,
  })
  for (const { step, surprise } of forValues) {
    const { node, next_value } = committed[step] as Committed
    const later = committed[step + 1]?.q ?? score
    await orNone(reflectOnValue(scope, values, { node, surprise, value: next_value, later, solved }))
  }
  for (const { step, surprise } of forPolicy) {
    await orNone(reflectOnAction(scope, (committed[step] as Committed).node, surprise, solved))
  }
}

async function reflectOnAction(
  scope: MethodScope,
  node: SearchNode,
  surprise: number,
  solved: boolean,
): Promise<void> {
  const { objective, prompts, tree } = scope
  const before = tree.node(node.parent as number)
  const key = `reflect/policy/${node.index}`
  const transcript = await scope.transcript(before, 'reflection')
  const action = node.message ?? ''
  const expectation = await ask(scope, `${key}/expectation`, 'Expectation', {
    content: prompts.fill(reflectionPrompts.expectation, { transcript, action }),
    ...scope.pictures(before, 'reflection'),
  })
  const outcome = observationText(node.observation)
  const end = solved ? 'was solved' : 'was not solved'
  const note = await ask(scope, `${key}/contrast`, 'Advice', {
    content: prompts.fill(reflectionPrompts.contrast, { transcript, action, expectation, outcome, end }),
    ...scope.pictures(node, 'reflection'),
  })
  const observation = observationText(before.observation)
  await scope.remember({ side: 'policy', objective, observation, action: node.action, note, surprise }, key)
}

async function reflectOnValue(
  scope: MethodScope,
  values: ValueFunction,
  found: { node: SearchNode; surprise: number; value: number; later: number; solved: boolean },
): Promise<void> {
  const { node, surprise } = found
  const account = values.accountOf(node)
  if (account === null) return
  const { objective, prompts } = scope
  const key = `reflect/value/${node.index}`
  const transcript = await scope.transcript(node, 'reflection')
  const value = found.value.toFixed(2)
  const later = found.later.toFixed(2)
  const truth = found.solved ? 'the task was solved' : 'the task was not solved'
  const shown = { transcript, value, later, truth }
  const content =
    'checks' in account
      ? prompts.fill(reflectionPrompts.rubric, { ...shown, ...account })
      : prompts.fill(reflectionPrompts.debate, { ...shown, ...account })
  const note = await ask(scope, key, 'Advice', { content, ...scope.pictures(node, 'reflection') })
  // A rubric is written at the start of a task; a debate's verdict is on the present state.
  const at = 'checks' in account ? scope.tree.root : node
  const observation = observationText(at.observation)
  await scope.remember({ side: 'value', objective, observation, action: node.action, note, surprise }, key)
}

async function ask(
  scope: MethodScope,
  key: string,
  label: string,
  asked: Pick<Message, 'content' | 'pictures'>,
): Promise<string> {
  const { prompts, rules } = scope
  const messages: Message[] = [
    { role: 'system', content: prompts.fill(reflectionPrompts.introduction, { rules }) },
    { role: 'user', ...asked },
  ]
  const read = (text: string) => readLabelled(text, label)
  const [answer = ''] = await readAnswers(scope, { key, role: 'reflection', messages }, read)
  return answer
}
