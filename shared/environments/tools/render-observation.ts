import type { Json, JsonObject } from '../../core/contracts/json.ts'
import { isObject } from './json-schema.ts'

const nothing = 'There is nothing to observe.'

export function renderFields(fields: JsonObject): string {
  const said = Object.entries(fields).filter(([, value]) => value !== null)
  const [only] = said
  if (only === undefined) return nothing
  if (said.length === 1) return renderValue(only[1]) || nothing
  return said
    .map(([name, value]) => {
      const text = renderValue(value)
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`
    })
    .join('\n')
}

export function renderToolResult(result: JsonObject): string {
  const content = Array.isArray(result.content) ? result.content.filter(isObject) : []
  const text = content.map(renderPart).join('\n')
  if (text.trim() !== '') return text
  const structured = structuredOf(result)
  if (structured === undefined || structured === null) return nothing
  return isObject(structured) ? renderFields(structured) : renderValue(structured) || nothing
}

export function structuredOf(result: JsonObject): Json | undefined {
  return result.structuredContent ?? result.structured_content ?? result.data
}

function renderValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function renderPart(part: JsonObject): string {
  if (part.type === 'text' && typeof part.text === 'string') return part.text
  const { resource } = part
  if (isObject(resource) && typeof resource.text === 'string') return resource.text
  const kind = typeof part.mimeType === 'string' ? part.mimeType : String(part.type ?? 'part')
  const bytes = typeof part.data === 'string' ? `, ${Math.floor((part.data.length * 3) / 4)} bytes` : ''
  const at = typeof part.uri === 'string' ? ` ${part.uri}` : ''
  return `[${kind}${at}${bytes}]`
}
