import type { Message } from '../../../core/contracts/message.ts'
import { alfworldExpert } from '../../../environments/alfworld/simulated/alfworld-expert.ts'
import { browserExpert } from '../../../environments/browser/simulated/page-expert.ts'
import { desktopExpert } from '../../../environments/desktop/simulated/desktop-expert.ts'
import type { Expert, Outlook } from '../../../environments/simulated/expert.ts'
import { pddlExpert } from '../../../environments/pddl/simulated/pddl-expert.ts'
import { textcraftExpert } from '../../../environments/textcraft/simulated/textcraft-expert.ts'
import { webshopExpert } from '../../../environments/webshop/simulated/webshop-expert.ts'

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
