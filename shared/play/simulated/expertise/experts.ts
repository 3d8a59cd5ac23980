import type { Message } from '../../../core/contracts/message.ts'
import { alfworldExpert } from './alfworld.ts'
import { browserExpert } from './browser.ts'
import { desktopExpert } from './desktop.ts'
import type { Expert, Outlook } from './expert.ts'
import { pddlExpert } from './pddl.ts'
import { textcraftExpert } from './textcraft.ts'
import { webshopExpert } from './webshop.ts'

const experts: readonly Expert[] = [
  textcraftExpert,
  pddlExpert,
  alfworldExpert,
  webshopExpert,
  desktopExpert,
  browserExpert,
]

export function lookAt(messages: readonly Message[]): Outlook | null {
  for (const expert of experts) {
    const outlook = expert.look(messages)
    if (outlook !== null) return outlook
  }
  return null
}
