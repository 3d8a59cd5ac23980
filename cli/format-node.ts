import { faultNames } from '../shared/core/client/format-faults.ts'
import { formatCount, formatMoney, formatNumber } from '../shared/core/client/format-quantity.ts'
import type { ModelCall, NodeDetail, StateChange } from '../shared/core/contracts/node-detail.ts'
import type { Usage } from '../shared/core/contracts/usage.ts'
import { toLine, withoutControls, wrap } from './fit-text.ts'

const indent = 13

export function formatNode(detail: NodeDetail, width: number): string[] {
  const { index, children, judgement, node, notes, observation, state_changes, state_note, usage } = detail
  const prompts = new Prompts()
  return [
    `node         #${index} of ${detail.episode} in ${detail.run}`,
    `place        ${placeOf(detail)}; ${children.length === 0 ? 'no children' : `children ${children.map((child) => `#${child}`).join(', ')}`}`,
    ...named('action', node.action ?? '', width),
    `worth        ${formatNumber(node.value)} over ${node.visits} visits, prior ${formatNumber(node.prior)}, reward ${formatNumber(node.reward)}${endingOf(node)}`,
    `used         ${formatUsage(usage)}`,
    ...observation.flatMap((part) =>
      part.type === 'text'
        ? listing('observation', part.text)
        : [toLine(`observation  ${part.media_type}, ${part.sha256}`)],
    ),
    ...(node.primitives ?? []).flatMap((step) =>
      named('step', `${step.action} → ${step.observation}`, width),
    ),
    ...(state_note === null ? [] : named('state', state_note, width)),
    ...(state_changes ?? []).flatMap((change) => named('changed', changeText(change), width)),
    ...notes.flatMap(({ episode, note, side, similarity, task }) => {
      const near = similarity === null ? '' : `, ${formatNumber(similarity)} alike`
      return named('note', `${note} (for the ${side}, from ${episode}, ${task}${near})`, width)
    }),
    ...(judgement === null ? [] : formatJudgement(judgement, width)),
    ...callsOf(detail).flatMap(([name, call]) => ['', ...formatCall(name, call, prompts)]),
  ]
}

function placeOf({ node }: NodeDetail): string {
  return node.parent === null ? 'the root' : `depth ${node.depth}, below #${node.parent}`
}

function endingOf({ disaster, done, terminal, valid }: NodeDetail['node']): string {
  const said = [
    ...(valid === false ? ['not valid'] : []),
    ...(disaster ? ['a disaster'] : done ? ['the task ended'] : terminal ? ['nothing left below'] : []),
  ]
  return said.map((each) => `, ${each}`).join('')
}

function formatJudgement(judgement: NonNullable<NodeDetail['judgement']>, width: number): string[] {
  const { checks, debate, value, votes } = judgement
  const given = votes.map((vote) => (vote.value === null ? 'unread' : formatNumber(vote.value)))
  const of = given.length === 0 ? '' : `, the mean of ${given.join(' ')}`
  return [
    ...named('judged', `${formatNumber(value)}${of}`, width),
    ...named('in favour', debate?.support ?? '', width),
    ...named('against', debate?.oppose ?? '', width),
    ...named('checks', checks ?? '', width),
  ]
}

function callsOf({ expansions, judgement, others, proposal }: NodeDetail): [name: string, ModelCall][] {
  const named = (name: string, calls: readonly ModelCall[]) =>
    calls.map((call): [string, ModelCall] => [name, call])
  return [
    ...named('led here', proposal === null ? [] : [proposal]),
    ...named('asked here', expansions),
    ...named('judged', judgement?.calls ?? []),
    ...named('beside it', others),
  ]
}

function formatCall(name: string, call: ModelCall, prompts: Prompts): string[] {
  const { answers, asked, endings, key, model, usage } = call
  const used = usage === null ? '' : `: ${formatUsage(usage)}`
  return [
    toLine(`${name.padEnd(indent)}${key}, ${asked}${model === null ? '' : ` (${model})`}${used}`),
    ...(prompts.isNew(call)
      ? call.messages.flatMap(({ content, role }) => listing(role, content))
      : ['  the prompt is the one before']),
    ...answers.flatMap((answer, place) => {
      const name = answers.length === 1 ? 'answer' : `answer ${place + 1}`
      const { thinking } = endings[place] ?? {}
      return [
        ...(thinking === undefined ? [] : listing(`thoughts of ${name}`, thinking)),
        ...listing(`${name}${endingText(endings[place])}`, answer),
      ]
    }),
  ]
}

function endingText(ending: ModelCall['endings'][number] | undefined): string {
  const { call_format, fault = null, finish_reason = null } = ending ?? {}
  const parts = [
    ...(finish_reason === null ? [] : [toLine(finish_reason)]),
    ...(fault === null ? [] : [faultNames[fault]]),
    ...(call_format === undefined ? [] : [`${call_format} call`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(': ')})`
}

class Prompts {
  #last = ''

  isNew({ messages }: ModelCall): boolean {
    const prompt = JSON.stringify(messages)
    const isNew = prompt !== this.#last
    this.#last = prompt
    return isNew
  }
}

function formatUsage({ cost, input_tokens, model_calls, output_tokens, reasoning_tokens }: Usage): string {
  const reasoning = reasoning_tokens === undefined ? '' : ` (${formatCount(reasoning_tokens)} reasoning)`
  return `${formatCount(model_calls)} ${model_calls === 1 ? 'call' : 'calls'}, ${formatCount(input_tokens)} + ${formatCount(output_tokens)} tokens${reasoning}, ${formatMoney(cost)}`
}

function changeText({ after, before, path, type }: StateChange): string {
  const place = path.join(' › ')
  if (type === 'added') return `+ ${place}: ${JSON.stringify(after)}`
  if (type === 'removed') return `− ${place}: ${JSON.stringify(before)}`
  return `${place}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`
}

function named(name: string, text: string, width: number): string[] {
  if (text.trim() === '') return []
  return wrap(toLine(text), width - indent).map((line, at) => (at === 0 ? name : '').padEnd(indent) + line)
}

function listing(name: string, text: string): string[] {
  return [`  ${name}`, ...text.split('\n').map((line) => `    ${withoutControls(line)}`.trimEnd())]
}
