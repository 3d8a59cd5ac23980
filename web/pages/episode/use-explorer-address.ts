import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

export const views = ['map', 'outline', 'conversation'] as const
export type View = (typeof views)[number]

/** What is chosen on an episode's page. */
interface ExplorerChoice {
  view: View
  /** The chosen node. */
  node: number | null
  /** How many steps of the growth are shown; null: all. */
  step: number | null
  /** The text that is looked for. */
  find: string
}

/** How long a choice has to last until it is in the address. In milliseconds; browsers refuse an address that changes all the time. */
const settled = 250

/** What is chosen on the page, which the address says too: a link or a reload shows the same. */
export function useExplorerAddress(): [ExplorerChoice, (change: Partial<ExplorerChoice>) => void] {
  const [params, setParams] = useSearchParams()
  const address = params.toString()
  const [choice, setChoice] = useState(() => readChoice(params))
  const [seen, setSeen] = useState(address)
  const [written, setWritten] = useState<string | null>(null)

  // What was written here comes back once. Otherwise a link was followed, or the user went back.
  if (address !== seen) {
    setSeen(address)
    setWritten(null)
    if (address !== written) setChoice(readChoice(params))
  }

  useEffect(() => {
    const next = writeChoice(params, choice)
    if (next.toString() === params.toString()) return
    const timer = setTimeout(() => {
      setWritten(next.toString())
      setParams(next, { replace: true, preventScrollReset: true })
    }, settled)
    return () => clearTimeout(timer)
  }, [choice, params, setParams])

  const change = useCallback(
    (part: Partial<ExplorerChoice>) => setChoice((before) => ({ ...before, ...part })),
    [],
  )
  return [choice, change]
}

/** What an address asks for; what it says wrongly counts as not said. */
export function readChoice(params: URLSearchParams): ExplorerChoice {
  return {
    view: views.find((view) => view === params.get('view')) ?? 'map',
    node: readCount(params.get('node')),
    step: readCount(params.get('step')),
    find: params.get('find') ?? '',
  }
}

/** The address of a choice; what is as it is at first is left out. */
export function writeChoice(
  params: URLSearchParams,
  { view, node, step, find }: ExplorerChoice,
): URLSearchParams {
  const next = new URLSearchParams(params)
  const write = (name: string, value: string | null) =>
    value === null ? next.delete(name) : next.set(name, value)
  write('view', view === 'map' ? null : view)
  write('node', node === null ? null : String(node))
  write('step', step === null ? null : String(step))
  write('find', find === '' ? null : find)
  return next
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
