import type { JsonObject } from '../../../core/contracts/json.ts'
import type { MemoryNote } from '../../../core/contracts/memory.ts'
import type { Thinking } from '../../../core/contracts/message.ts'
import { observationText } from '../../search/conversation.ts'
import type { Proposal } from '../../search/search-scope.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { Fork } from '../fork.ts'
import type { MethodScope } from '../method-scope.ts'
import type { StateResult } from '../node-states.ts'
import type { MethodRequest } from './method-messages.ts'

export function describeMethodNode(node: SearchNode): JsonObject {
  const { action, depth, disaster, done, index, message, parent, progress, reward, terminal, valid } = node
  const { observation, value_sum, visits } = node
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
  }
}

export class RequestAnswers {
  readonly #scope: MethodScope
  readonly #forks: Fork[] = []
  /** By the effect of a proposal: programs know answers by their texts alone. */
  readonly #thoughts = new Map<string, Thinking>()

  constructor(scope: MethodScope) {
    this.#scope = scope
  }

  /**
   * The answer, as JSON. An unknown number, such as that of a missing node, is an error of the method. Effects that
   * fail end the attempt without an answer.
   */
  async answer(request: MethodRequest): Promise<unknown> {
    const scope = this.#scope
    const { tree } = scope
    switch (request.op) {
      case 'propose': {
        const { key, n, node, notes, system } = request
        const wanted = { key, n, notes, ...(system !== null && { system }) }
        const proposals = await scope.propose(tree.node(node), wanted)
        for (const { effect, thinking } of proposals) if (thinking) this.#thoughts.set(effect, thinking)
        return proposals.map(describeProposal)
      }
      case 'step': {
        const { max_depth, node, proposal } = request
        const whole = this.#withThoughts(proposal)
        return describeMethodNode(await scope.step(tree.node(node), whole, max_depth ?? undefined))
      }
      case 'unparsable':
        return describeMethodNode(
          scope.addUnparsable(tree.node(request.node), this.#withThoughts(request.proposal)),
        )
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
        const { key, messages, n, role } = request
        return scope.ask({ key, role, messages, n })
      }
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
        return describeMethodNode(scope.land(tree.node(request.node), this.#withThoughts(proposal), landing))
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

/** A proposal for programs: packages of earlier versions refuse unknown fields. */
function describeProposal({ unnamed: _, thinking: __, more: ___, ...proposal }: Proposal): Proposal {
  return proposal
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
