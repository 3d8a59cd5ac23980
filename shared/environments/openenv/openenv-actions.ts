import type { JsonObject } from '../../core/contracts/json.ts'
import { describeTools } from '../tools/describe-tools.ts'
import {
  describeField,
  describeType,
  fieldsOf,
  isObject,
  isText,
  type SchemaField,
} from '../tools/json-schema.ts'
import { readJson } from '../tools/read-json.ts'
import { type ActionReading, readToolCall, type Tool } from '../tools/tool-call.ts'

export type ActionForm =
  | { readonly kind: 'text'; readonly field: SchemaField; readonly others: readonly SchemaField[] }
  | { readonly kind: 'value'; readonly field: SchemaField }
  | { readonly kind: 'json'; readonly fields: readonly SchemaField[] }
  | { readonly kind: 'tools' }

const common = ['metadata']

/**
 * Chooses the form of actions from the server's schema:
 * - a text, if one text is the only field or the only required one;
 * - a JSON value, if the only field is not text;
 * - tool calls, if actions are OpenEnv's `call_tool` or have no field;
 * - a JSON object otherwise.
 * @param configured the administrator's choice, which wins
 * @returns null if that choice does not fit the schema
 */
export function chooseActionForm(
  schema: JsonObject,
  configured: { actions?: 'text' | 'json' | 'tools' | undefined; action_field?: string | undefined } = {},
): ActionForm | null {
  const fields = fieldsOf(schema).filter(({ name }) => !common.includes(name))
  const names = fields.map(({ name }) => name)
  const isTools = fields.length === 0 || (names.includes('tool_name') && names.includes('arguments'))
  if (
    configured.actions === 'tools' ||
    (configured.actions === undefined && configured.action_field === undefined && isTools)
  ) {
    return { kind: 'tools' }
  }
  if (configured.actions === 'json') return { kind: 'json', fields }
  const required = fields.filter((field) => field.required)
  const candidates = fields.length === 1 ? fields : required
  const chosen =
    configured.action_field === undefined
      ? candidates.length === 1
        ? candidates[0]
        : undefined
      : fields.find(({ name }) => name === configured.action_field)
  if (chosen !== undefined && (isText(chosen) || configured.actions === 'text')) {
    return { kind: 'text', field: chosen, others: fields.filter((field) => field !== chosen) }
  }
  if (chosen !== undefined && (fields.length === 1 || configured.action_field !== undefined)) {
    return { kind: 'value', field: chosen }
  }
  return configured.actions === 'text' || configured.action_field !== undefined
    ? null
    : { kind: 'json', fields }
}

export function readOpenenvAction(
  text: string,
  form: ActionForm,
  tools: readonly Tool[],
): ActionReading<JsonObject> {
  const written = text.toWellFormed()
  switch (form.kind) {
    case 'text':
      return { action: readWhole(written, form) ?? { [form.field.name]: written } }
    case 'value': {
      const value = readJson(written)
      if (value !== undefined) return { action: { [form.field.name]: value } }
      return { feedback: `The action is no JSON value. Write ${describeType(form.field.schema, {})}.` }
    }
    case 'json': {
      const value = readJson(written)
      if (isObject(value)) return { action: value }
      return { feedback: `The action is no JSON object. Write one: ${objectText(form.fields)}` }
    }
    case 'tools': {
      const call = readToolCall(written, tools)
      if ('feedback' in call) return call
      return { action: { type: 'call_tool', tool_name: call.action.name, arguments: call.action.arguments } }
    }
  }
}

export function describeActionForm(form: ActionForm, schema: JsonObject, tools: readonly Tool[]): string {
  switch (form.kind) {
    case 'tools':
      return describeTools(tools)
    case 'text': {
      const { field, others } = form
      const type = describeType(field.schema, schema)
      const choices =
        type === 'string' || type.includes('null') ? '' : ` It is one of: ${type}, written without quotes.`
      const more =
        others.length === 0
          ? ''
          : `\nWhere more has to be said, it is a JSON object:\n${describeFields([field, ...others], schema)}`
      return `Each action is a text.${sentence(field)}${choices}${more}`
    }
    case 'value': {
      const { field } = form
      return `Each action is a JSON value, ${describeType(field.schema, schema)}: its "${field.name}".${sentence(field)}`
    }
    case 'json':
      return `Each action is a JSON object on one line: ${objectText(form.fields)}\n${describeFields(form.fields, schema)}`
  }
}

function readWhole(
  text: string,
  { field, others }: { field: SchemaField; others: readonly SchemaField[] },
): JsonObject | undefined {
  if (others.length === 0 || !text.trimStart().startsWith('{')) return undefined
  const value = readJson(text)
  if (!isObject(value) || !(field.name in value)) return undefined
  const known = [field, ...others, ...common.map((name) => ({ name }))].map(({ name }) => name)
  return Object.keys(value).every((name) => known.includes(name)) ? value : undefined
}

function objectText(fields: readonly SchemaField[]): string {
  return `{${fields.map(({ name, required }) => `${JSON.stringify(name)}${required ? '' : '?'}: …`).join(', ')}}`
}

function describeFields(fields: readonly SchemaField[], schema: JsonObject): string {
  return fields
    .map((field) => {
      const said = describeField(field)
      const needed = field.required ? '' : ', may be left out'
      return `- ${field.name} (${describeType(field.schema, schema)}${needed})${said === '' ? '' : `: ${said}`}`
    })
    .join('\n')
}

function sentence(field: SchemaField): string {
  const said = describeField(field)
  return said === '' ? '' : ` ${said.endsWith('.') ? said : `${said}.`}`
}
