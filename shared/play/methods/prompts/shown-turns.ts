import type { Message, PromptMessage } from '../../../core/contracts/message.ts'
import { contentOf, type LaidOut, layOutHead, observationTurn } from '../../search/conversation.ts'
import { groupByAnswer } from '../../search/several-calls.ts'
import type { SearchNode } from '../../search/tree.ts'
import type { PlayedEpisode } from '../played-episode.ts'
import { showCallTurn, withThoughts } from '../tool-dialect.ts'

/** The turns of an episode as prompts show them: the same message objects each time, so that each is measured once. */
export class ShownTurns {
  readonly #episode: Pick<PlayedEpisode, 'environment' | 'exampleTurns' | 'fewShot' | 'tools'>
  readonly #heads = new Map<string, Message[]>()
  readonly #turns: PromptMessage[][] = []

  constructor(episode: Pick<PlayedEpisode, 'environment' | 'exampleTurns' | 'fewShot' | 'tools'>) {
    this.#episode = episode
  }

  /** @param options.advice shown with the newest observation */
  layOut(
    [start, ...path]: readonly SearchNode[],
    options: { system: string; advice: string; reasoning?: 'keep' | 'last_turn' | 'drop' },
  ): { head: Message[]; turns: PromptMessage[] } {
    const { reasoning = this.#episode.tools === undefined ? 'drop' : 'keep', advice, system } = options
    const head = this.#headOf(start as SearchNode, system)
    const answers = this.#episode.tools === undefined ? path.map((node) => [node]) : groupByAnswer(path)
    const shown = answers.map((nodes) => this.#turnOf(nodes))
    const firsts = answers.map(([first]) => first)
    const turns = withThoughts(shown, firsts, reasoning)
    const last: PromptMessage[] = turns.length > 0 ? turns : head
    const newest = last.at(-1)
    if (newest && advice !== '') {
      const role = newest.role === 'tool' ? 'tool' : 'user'
      last[last.length - 1] = { ...newest, role, content: `${advice}\n\n${newest.content}` }
    }
    return { head, turns }
  }

  #headOf(start: SearchNode, system: string): Message[] {
    const key = `${start.index} ${system}`
    let head = this.#heads.get(key)
    if (!head) {
      const { exampleTurns = null, fewShot } = this.#episode
      head = layOutHead(system, exampleTurns, contentOf(start.observation), fewShot)
      this.#heads.set(key, head)
    }
    return [...head]
  }

  #turnOf(nodes: readonly SearchNode[]): PromptMessage[] {
    const node = nodes.at(-1) as SearchNode
    this.#turns[node.index] ??= this.#show(node, nodes)
    return this.#turns[node.index] as PromptMessage[]
  }

  #show(node: SearchNode, nodes: readonly SearchNode[]): PromptMessage[] {
    if (this.#episode.tools !== undefined) {
      return showCallTurn(nodes.map((each) => ({ node: each, observed: contentOf(each.observation) })))
    }
    const { content, ...pictures } = contentOf(node.observation)
    return [
      { role: 'assistant', content: node.message ?? '' },
      { role: 'user', content: observationTurn(this.#laidOut, content), ...pictures },
    ]
  }

  get #laidOut(): LaidOut {
    const { environment, exampleTurns } = this.#episode
    return { environment, ...(exampleTurns !== undefined && { layout: 'eto' }) }
  }
}
