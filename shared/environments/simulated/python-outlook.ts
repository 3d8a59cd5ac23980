import type { ExpertFunction, Outlook } from './expert.ts'

const perCall = 3
const name = 'take_steps'

const takeSteps: ExpertFunction = {
  name,
  parameters: ['steps'],
  code: `def ${name}(steps):
    """Takes plain actions, one after the other, and returns the last answer.

    steps: the actions, such as ["look around", "inventory"]
    """
    seen = ""
    for step in steps:
        seen = act(step)
    return seen`,
  blunders: [
    ['act(step)', 'act("do " + step)'],
    ['return seen', 'return seen + 1'],
  ],
}

/** An expert that is asked for Python: its plan in one function, which serves every environment. */
export function pythonOutlook(outlook: Outlook): Outlook {
  const { next, plan = () => (next === null ? [] : [next]), program: _, usage: __, ...seen } = outlook
  const calls = (): string[] => {
    const steps = plan()
    const count = Math.ceil(steps.length / perCall)
    return Array.from({ length: count }, (_none, at) => callOf(steps.slice(at * perCall, (at + 1) * perCall)))
  }
  return {
    ...seen,
    next,
    functions: [takeSteps],
    statements: calls,
    call: (known) => (known.has(name) ? (calls()[0] ?? null) : null),
  }
}

function callOf(steps: readonly string[]): string {
  return `${name}([${steps.map((step) => JSON.stringify(step)).join(', ')}])`
}

export function rewordSteps(text: string, reword: (action: string) => string | null): string {
  return text.replaceAll(new RegExp(`\\b${name}\\(\\[(".*")\\]\\)`, 'g'), (_call, listed: string) => {
    const steps = JSON.parse(`[${listed}]`) as string[]
    return callOf(steps.map((step) => reword(step) ?? step))
  })
}

export function listsPython(shown: ReadonlySet<string>): boolean {
  return shown.has(`${name}(steps)`)
}
