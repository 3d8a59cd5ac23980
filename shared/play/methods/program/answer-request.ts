import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import type { MemoryNote } from '../../../core/contracts/memory.ts'
import type { PromptMessage, Thinking } from '../../../core/contracts/message.ts'
import type { Picture, SentPicture } from '../../../core/contracts/picture.ts'
import type { TokenLogprob } from '../../models/call-settings.ts'
import { contentOf, observationText } from '../../search/conversation.ts'
import type { Proposal } from '../../search/search-scope.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { Fork } from '../fork.ts'
import type { MeasuredProposal, MethodScope } from '../method-scope.ts'
import type { AskedChoice } from '../model-calls.ts'
import type { StateResult } from '../node-states.ts'
import type { MethodRequest } from './method-messages.ts'

export interface MethodProtocol {
  takesDetails: boolean
  perform(call: number): Promise<Json>
}

export function describeMethodNode(node: SearchNode, takesDetails: boolean): JsonObject {
  const { action, depth, disaster, done, index, message, parent, progress, reward, terminal, valid } = node
  const { observation, value_sum, visits } = node
  const { pictures } = contentOf(observation)
  return {
    ...{ index, parent, depth, action, message, observation: observationText(observation) },
    ...{
      reward,
      progress: progress ?? null,
      terminal,
      done,
      disaster,
      valid: valid ?? true,
      visits,
      value: meanValue(visits, value_sum),
    },
    ...(takesDetails && pictures && { pictures: pictures.map((picture) => ({ ...picture })) }),
  }
}

export class RequestAnswers {
  readonly #scope: MethodScope
  readonly #protocol: MethodProtocol
  readonly #forks: Fork[] = []
  /** By the effect of a proposal: programs know answers by their texts alone. */
  readonly #thoughts = new Map<string, Thinking>()

  constructor(scope: MethodScope, protocol: MethodProtocol) {
    this.#scope = scope
    this.#protocol = protocol
  }

  /**
   * The answer, as JSON. An unknown number, such as that of a missing node, is an error of the method. Effects that
   * fail end the attempt without an answer.
   */
  async answer(request: MethodRequest): Promise<unknown> {
    const scope = this.#scope
    const { tree } = scope
    const { takesDetails } = this.#protocol
    const describe = (node: SearchNode) => describeMethodNode(node, takesDetails)
    switch (request.op) {
      case 'propose': {
        const { key, n, node, notes, settings, system } = request
        const wanted = { key, n, notes, ...(system !== null && { system }), ...(settings && { settings }) }
        const proposals = await scope.propose(tree.node(node), wanted)
        for (const { effect, thinking } of proposals) if (thinking) this.#thoughts.set(effect, thinking)
        return proposals.map((proposal) => describeProposal(proposal, takesDetails))
      }
      case 'step': {
        const { max_depth, node, proposal } = request
        const whole = this.#withThoughts(proposal)
        return describe(await scope.step(tree.node(node), whole, max_depth ?? undefined))
      }
      case 'unparsable':
        return describe(scope.addUnparsable(tree.node(request.node), this.#withThoughts(request.proposal)))
      case 'back_up': {
        const node = tree.node(request.node)
        scope.backUp(node, request.value)
        return tree.path(node).map(({ index, value_sum, visits }) => ({
          index,
          visits,
          value: meanValue(visits, value_sum),
        }))
      }
      case 'commit':
        scope.commit(tree.node(request.node))
        return null
      case 'ask': {
        const { key, messages, n, role, settings, tools } = request
        const shows = messages.some(({ pictures }) => pictures !== undefined)
        const shown = shows ? await this.#keepPictures(messages) : (messages as PromptMessage[])
        const more = { ...(settings && { settings }), ...(tools && { tools }) }
        const choices = await scope.choose({ key, role, messages: shown, n, ...more })
        return takesDetails ? choices.map(describeChoice) : choices.map(({ content }) => content)
      }
      case 'effect':
        return scope.perform(request.key, () => this.#protocol.perform(request.call))
      case 'actions':
        return scope.validActions(tree.node(request.node))
      case 'score':
        return scope.score(request.key, request.messages)
      case 'transcript':
        return scope.transcript(tree.node(request.node), request.role)
      case 'note_unread':
        scope.noteUnread(request.effect, request.answers)
        return null
      case 'random':
        return Math.floor(scope.random(request.key)() * 2 ** 32)
      case 'elapsed':
        return scope.elapsed()
      case 'fork':
        this.#forks.push(scope.fork(tree.node(request.node), request.key))
        return this.#forks.length - 1
      case 'fork_step':
        return describeResult(await this.#fork(request.fork).act(request.action))
      case 'land': {
        const { keep, observation, proposal, valid } = request
        const landing = { fork: this.#fork(request.fork), keep, observation, valid }
        return describe(scope.land(tree.node(request.node), this.#withThoughts(proposal), landing))
      }
      case 'recall': {
        const { key, least, most, objective, observation, side } = request
        const found = await scope.recall({ key, side, situation: { objective, observation }, most, least })
        return found.map(describeNote)
      }
      case 'remember': {
        const { action, key, note, observation, side } = request
        const { objective } = scope
        await scope.remember({ side, objective, observation, action, note, surprise: null }, key)
        return null
      }
    }
  }

  #keepPictures(messages: readonly AskedMessage[]): Promise<PromptMessage[]> {
    const keep = (picture: Picture | SentPicture) =>
      'data' in picture ? this.#scope.keepPicture(picture) : picture
    const kept = messages.map(async ({ pictures = [], ...message }) =>
      pictures.length === 0 ? message : { ...message, pictures: await Promise.all(pictures.map(keep)) },
    )
    return Promise.all(kept)
  }

  #withThoughts(proposal: Proposal): Proposal {
    const thinking = this.#thoughts.get(proposal.effect)
    return thinking === undefined ? proposal : { ...proposal, thinking }
  }

  #fork(place: number): Fork {
    const fork = this.#forks[place]
    if (fork === undefined) throw new RangeError(`There is no fork ${place}.`)
    return fork
  }
}

type AskedMessage = Extract<MethodRequest, { op: 'ask' }>['messages'][number]

function describeProposal(
  { unnamed: _, thinking, more: __, logprobs, ...proposal }: MeasuredProposal,
  takesDetails: boolean,
): object {
  return takesDetails ? { ...proposal, ...describeDetails({ thinking, logprobs }) } : proposal
}

function describeChoice({ content, finish_reason, tool_calls, ...details }: AskedChoice): object {
  const calls = tool_calls?.map(({ id, function: call }) => ({ id, ...call }))
  return { content, finish_reason, ...(calls && { tool_calls: calls }), ...describeDetails(details) }
}

function describeDetails({ thinking, logprobs }: Details): object {
  return { ...(thinking && { reasoning: thinking.text }), ...(logprobs && { logprobs }) }
}

interface Details {
  thinking?: Thinking | undefined
  logprobs?: readonly TokenLogprob[] | undefined
}

export function describeNote({ embedding: _, ...note }: MemoryNote): JsonObject {
  return note
}

function describeResult({ done, observation, progress, reward, valid }: StateResult): JsonObject {
  return { observation, reward, done, valid, progress: progress ?? null }
}

function meanValue(visits: number, sum: number): number | null {
  return visits === 0 ? null : sum / visits
}
