import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja'
import type { Message } from '../../core/contracts/message.ts'

/** The date for templates that write today's date: a conversation must have the same tokens in every replay. */
const fixedDate = new Date(Date.UTC(2026, 10, 28))

/** Maximum items of a range in a template: templates count messages. */
const longestRange = 100_000

export type ChatTemplate = (messages: readonly Pick<Message, 'role' | 'content'>[]) => string

/**
 * Reads a chat template in Jinja, as transformers' `apply_chat_template` does.
 * @param specialTokens - the template's variables, for example `bos_token`
 * @throws Error for an invalid template; the template itself throws if it refuses a conversation
 */
export function readChatTemplate(
  source: string,
  specialTokens: Readonly<Record<string, string>>,
): ChatTemplate {
  const program = parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true }))
  return (messages) => {
    const environment = new Environment()
    const variables = { ...specialTokens, ...globals, messages: messages.map(toTemplateMessage) }
    for (const [name, value] of Object.entries(variables)) environment.set(name, value)
    return String(new Interpreter(environment).run(program).value)
  }
}

const globals = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  add_generation_prompt: true,
  tools: null,
  documents: null,
  range,
  raise_exception(message: unknown): never {
    throw new Error(String(message))
  },
  strftime_now: formatDate,
}

function toTemplateMessage({ role, content }: Pick<Message, 'role' | 'content'>) {
  return { role, content }
}

function range(...bounds: number[]): number[] {
  const [start, stop, step] =
    bounds.length === 1 ? [0, bounds[0] as number, 1] : [bounds[0] ?? 0, bounds[1] ?? 0, bounds[2] ?? 1]
  if (step === 0) throw new Error('range() must not have a step of 0.')
  const count = Math.max(0, Math.ceil((stop - start) / step))
  if (count > longestRange) throw new Error(`range() has at most ${longestRange} items here.`)
  return Array.from({ length: count }, (_, index) => start + index * step)
}

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  fixedDate.toLocaleString('en-US', { timeZone: 'UTC', ...options })

const dateParts: Readonly<Record<string, string>> = {
  '%Y': String(fixedDate.getUTCFullYear()),
  '%m': inUtc({ month: '2-digit' }),
  '%d': inUtc({ day: '2-digit' }),
  '%b': inUtc({ month: 'short' }),
  '%B': inUtc({ month: 'long' }),
  '%a': inUtc({ weekday: 'short' }),
  '%A': inUtc({ weekday: 'long' }),
  '%H': '00',
  '%M': '00',
  '%S': '00',
  '%%': '%',
}

function formatDate(format: string): string {
  return format.replaceAll(/%./g, (part) => dateParts[part] ?? part)
}
