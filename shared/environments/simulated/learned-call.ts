import type { Message } from '../../core/contracts/message.ts'
import { calledName, type Expert, type Outlook } from './expert.ts'
import { readAction } from './policy.ts'
import { listsPython, pythonOutlook } from './python-outlook.ts'

const heading = /call these functions|these functions are defined/
const listed = /^- (\w+\([^)]*\))/gm
const mostFailures = 2

const failedCall = 'The call failed and changed nothing'

/**
 * The next step as a call of a listed function that the expert would have written itself. After a failed call it
 * continues with plain actions. It never calls a function that failed twice.
 */
export function learnedCall(messages: readonly Message[], expert: Expert): string | null {
  const shown = listedFunctions(messages)
  if (shown.size === 0 || messages.at(-1)?.content.startsWith(failedCall)) return null
  const seen = expert.look(messages)
  const outlook = seen !== null && listsPython(shown) ? pythonOutlook(seen) : seen
  const failures = failedNames(messages)
  const known = knownFunctionNames(outlook, shown).filter(
    (name) => failures.filter((failed) => failed === name).length < mostFailures,
  )
  return outlook?.call(new Set(known)) ?? null
}

export function listedFunctions([first]: readonly Message[]): ReadonlySet<string> {
  if (first?.role !== 'system' || !heading.test(first.content)) return new Set()
  return new Set([...first.content.matchAll(listed)].map(([, signature = '']) => signature))
}

export function knownFunctionNames(outlook: Outlook | null, shown: ReadonlySet<string>): string[] {
  const known = outlook?.functions.filter(({ name, parameters }) =>
    shown.has(`${name}(${parameters.join(', ')})`),
  )
  return known?.map(({ name }) => name) ?? []
}

function failedNames(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }, at) =>
    role === 'user' && content.startsWith(failedCall)
      ? [calledName(readAction(messages[at - 1]?.content ?? '') ?? '')]
      : [],
  )
}
