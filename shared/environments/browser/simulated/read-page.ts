import { remembering } from '../../simulated/remembering.ts'

export interface PageElement {
  /** Its id in actions; empty if it has no mark. */
  readonly id: string
  readonly role: string
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly depth: number
}

export interface ReadPage {
  readonly elements: readonly PageElement[]
  readonly form: 'accessibility_tree' | 'set_of_marks'
}

const treeLine = /^(\t*)\[(\d+)\] (\S+) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(.*)$/
const markLine = /^\[(\d*)\] \[([^\]]+)\] \[(.*)\]$/
const property = /([A-Za-z]+): (?:(?=[A-Za-z]+: )|(\S+))/g

const roleOfTag: Readonly<Record<string, string>> = {
  A: 'link',
  BUTTON: 'button',
  INPUT: 'textbox',
  TEXTAREA: 'textbox',
  SELECT: 'combobox',
  IMG: 'image',
  LI: 'tab',
}

const read = remembering<ReadPage | null>(512)

export function readPage(observation: string): ReadPage | null {
  return read(observation, () => readTree(observation) ?? readMarks(observation))
}

export function findElements(observation: string): number {
  return observation.search(/^\[\d*\] (?:\S+ ['"]|\[[^\]]+\] \[)/m)
}

function readTree(observation: string): ReadPage | null {
  const elements = observation.split('\n').flatMap((line) => {
    const [, tabs = '', id = '', role = '', name = '', rest = ''] = treeLine.exec(line) ?? []
    return id === ''
      ? []
      : [{ id, role, name: unquote(name), properties: readProperties(rest), depth: tabs.length }]
  })
  return elements.length === 0 ? null : { elements, form: 'accessibility_tree' }
}

function readMarks(observation: string): ReadPage | null {
  const elements = observation.split('\n').flatMap((line) => {
    const [, id = '', tag, name = ''] = markLine.exec(line) ?? []
    return tag === undefined ? [] : [{ id, role: roleOfTag[tag] ?? tag, name, properties: {}, depth: 1 }]
  })
  return elements.length === 0 ? null : { elements, form: 'set_of_marks' }
}

function readProperties(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(property)].map(([, key = '', value = '']) => [key, value]))
}

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/g, (_whole, short, long, other: string) =>
      other === undefined
        ? String.fromCharCode(Number.parseInt(short ?? long, 16))
        : (escaped[other] ?? other),
    )
}
