import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Policy } from '../../simulated/policy.ts'
import { type BrowserMove, writeMove } from './browser-move.ts'
import { pageExpert } from './page-expert.ts'
import { type PagePlayer, type PageSituation, planOnPage } from './page-situation.ts'
import type { PageElement } from './read-page.ts'

export function pagePolicy(player: PagePlayer): Policy {
  return {
    name: player.name,
    expert: pageExpert(player),
    answer(messages, skill, random) {
      const known = planOnPage(messages, player)
      if (known === null) return null
      const { situation, planned } = known
      const move = random() < skill ? (planned?.move ?? tryAnything(situation, random)) : null
      const made = move ?? choose(mistakes, random)?.(situation, random) ?? null
      if (made === null) return think('scroll [down]', random)
      return think(writeMove(made, situation.grammar), random)
    },
  }
}

type Mistake = (situation: PageSituation, random: Random) => BrowserMove | null

const clickable = /^(?:button|link|checkbox|radio|tab|menuitem|option|textbox|image)$/

const clickAny: Mistake = ({ body }, random) => {
  const at = choose(
    usable(body).filter(({ role }) => clickable.test(role)),
    random,
  )
  return at === undefined ? null : { kind: 'click', at }
}

const clickText: Mistake = ({ body }, random) => {
  const at = choose(usable(body), random)
  return at === undefined ? null : { kind: 'click', at }
}

const hoverAny: Mistake = ({ body }, random) => {
  const at = choose(usable(body), random)
  return at === undefined ? null : { kind: 'hover', at }
}

const typeWrong: Mistake = ({ body, objective }, random) => {
  const at = choose(
    usable(body).filter(({ role }) => role === 'textbox'),
    random,
  )
  const word = choose(objective.match(/[\p{L}\p{N}]+/gu) ?? [], random)
  return at === undefined || word === undefined ? null : { kind: 'type', at, text: word, withEnter: false }
}

const nameMissing: Mistake = () => ({
  kind: 'click',
  at: { id: '99', role: 'button', name: 'Continue', properties: {}, depth: 1 },
})

const mistakes: readonly Mistake[] = [clickAny, clickAny, clickText, hoverAny, typeWrong, nameMissing]

function tryAnything(situation: PageSituation, random: Random): BrowserMove | null {
  return clickAny(situation, random) ?? clickText(situation, random)
}

function usable(elements: readonly PageElement[]): PageElement[] {
  return elements.filter(({ id }) => id !== '')
}

const thoughts: readonly ((action: string) => string)[] = [
  (action) => `Going by the objective, ${action} comes next.`,
  (action) => `The newest page shows what I need, so: ${action}.`,
  () => 'I compare the page with the objective and go on.',
]

function think(action: string, random: Random): string {
  return `Thought: ${(choose(thoughts, random) ?? String)(action)}\nAction: ${action}`
}
