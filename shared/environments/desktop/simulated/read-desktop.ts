import type { Message } from '../../../core/contracts/message.ts'
import { remembering } from '../../simulated/remembering.ts'

export interface ScreenElement {
  readonly mark: number | null
  readonly tag: string
  readonly name: string
  readonly text: string
  /** Its centre in pixels; null if only its mark is known. */
  readonly at: readonly [x: number, y: number] | null
}

export interface DesktopSituation {
  readonly objective: string
  readonly elements: readonly ScreenElement[]
  readonly answers: readonly string[]
  readonly isRefused: boolean
  readonly inJson: boolean
}

const opening = /^You use a desktop computer, and do what the objective says\.$/m
const columns = /^(?:tag\tname\ttext\tclass\tdescription\t|index\ttag\tname\ttext$)/m
const noTable = /^The screenshot shows the screen\.$/m
const objectiveLine = /^Objective: ([\s\S]*?)(?:\n\n|$)/m
const refused =
  /^(?:Invalid action|The action failed|There is no |The (?:code|JSON) has no end|This is no action|[A-Z_0-9]+: |Traceback|(?:\w+\.)*\w*Error\b)/m

export function readDesktop(messages: readonly Message[]): DesktopSituation | null {
  const isDesktop = ({ role, content }: Message) =>
    role === 'assistant' ? false : opening.test(content) || columns.test(content) || noTable.test(content)
  if (!messages.some(isDesktop)) return null
  const newest = messages.findLast(({ role, content }) => role === 'user' && objectiveLine.test(content))
  const objective = newest === undefined ? null : objectiveOf(newest.content)
  if (newest === undefined || objective === null) return null
  const first = messages.findIndex(
    ({ role, content }) => role === 'user' && objectiveOf(content) === objective,
  )
  const [, after = ''] = newest.content.split(objective)
  const notice = after.slice(0, Math.max(0, after.search(columns)))
  return {
    objective,
    elements: readElements(newest.content),
    answers: messages
      .slice(first)
      .filter(({ role }) => role === 'assistant')
      .map(({ content }) => content),
    isRefused: refused.test(notice.trim()),
    inJson: messages.some(({ role, content }) => role !== 'assistant' && content.includes('"action_type"')),
  }
}

function objectiveOf(content: string): string | null {
  return objectiveLine.exec(content)?.[1]?.trim() ?? null
}

const read = remembering<readonly ScreenElement[]>(256)

function readElements(observation: string): readonly ScreenElement[] {
  return read(observation, () => {
    const start = observation.search(columns)
    if (start < 0) return []
    const [head = '', ...lines] = observation.slice(start).split('\n')
    return head.startsWith('index') ? readMarks(lines) : readRows(lines)
  })
}

const row = /^([a-z-]+)\t([^\t]*)\t([\s\S]*)\t[^\t]*\t[^\t]*\t\((\d+), (\d+)\)\t\((\d+), (\d+)\)$/

/** A multi-line text makes its row span several lines. */
function readRows(lines: readonly string[]): ScreenElement[] {
  const elements: ScreenElement[] = []
  let open = ''
  for (const line of lines) {
    const whole = /^[a-z-]+\t/.test(line) ? line : `${open}\n${line}`
    const [, tag = '', name = '', text = '', x, y, width, height] = row.exec(whole) ?? []
    open = tag === '' ? whole : ''
    if (tag === '') continue
    const at = [middle(x, width), middle(y, height)] as const
    elements.push({ mark: null, tag, name, text: unquote(text), at })
  }
  return elements
}

function middle(start: string | undefined, length: string | undefined): number {
  return Number(start) + Math.floor(Number(length) / 2)
}

function readMarks(lines: readonly string[]): ScreenElement[] {
  return lines.flatMap((line): ScreenElement[] => {
    const [, mark, tag = '', name = '', text = ''] = /^(\d+)\t([^\t]+)\t([^\t]*)\t(.*)$/.exec(line) ?? []
    return mark === undefined ? [] : [{ mark: Number(mark), tag, name, text: unquote(text), at: null }]
  })
}

function unquote(cell: string): string {
  return cell.startsWith('"') && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}
