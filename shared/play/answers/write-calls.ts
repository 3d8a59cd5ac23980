import type { MessageCall } from '../../core/contracts/message.ts'

/**
 * An answer as one text: its calls below its words, in the notation of Hermes, which most open models are trained on
 * and the reader of inline calls reads. The same calls always give the same text.
 * @example
 * writeAnswer('I need wood.', [{ id: '1', type: 'function', function: { name: 'get', arguments: '{"item": "log"}' } }])
 * // 'I need wood.\n<tool_call>\n{"name": "get", "arguments": {"item": "log"}}\n</tool_call>'
 */
export function writeAnswer(content: string, calls: readonly MessageCall[] = []): string {
  return [...(content === '' && calls.length > 0 ? [] : [content]), ...calls.map(writeCall)].join('\n')
}

function writeCall({ function: { name, arguments: given } }: MessageCall): string {
  const text = given.trim() === '' ? '{}' : given
  const value = isObjectText(text) ? text.trim() : JSON.stringify(text)
  // A closing mark inside would end the call early; JSON may escape its slash.
  const body = `{"name": ${JSON.stringify(name)}, "arguments": ${value}}`.replaceAll('</', '<\\/')
  return `<tool_call>\n${body}\n</tool_call>`
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
