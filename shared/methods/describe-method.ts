import { z } from 'zod'
import type { MethodInfo } from '../contracts/catalogue.ts'
import type { JsonObject } from '../contracts/json.ts'
import { type Role, roleSchema } from '../contracts/model-choice.ts'
import { slotsOf } from '../prompts/prompt-template.ts'
import type { Method } from './method.ts'
import { promptsOf, schemaOf } from './methods.ts'

/** A method as the API lists it. */
export function describeMethod(method: Method): MethodInfo {
  const { branches, description, id, parameters, source } = method
  const schema = z.toJSONSchema(parameters, { io: 'input' }) as JsonObject
  const choices = choicesIn(schema).flatMap((given) => {
    const parsed = schemaOf(method, given).safeParse(given)
    return parsed.success ? [parsed.data] : []
  })
  const asked = new Set<Role>(choices.flatMap((choice) => method.roles?.(choice) ?? []))
  const [writes = null] = choices.flatMap((choice) => method.sharing?.(choice)?.writes ?? [])
  // Notes can be found by vectors.
  if (writes === 'memory') asked.add('embedding')
  return {
    id,
    object: 'method',
    description,
    source,
    parameters: schema,
    branches,
    roles: roleSchema.options.filter((role) => asked.has(role)),
    writes,
    prompts: promptsOf(method).map(({ id: prompt, purpose, text }) => ({
      id: prompt,
      purpose,
      slots: slotsOf(text),
      text,
    })),
  }
}

/** Nothing but the defaults, and then each choice that a parameter has. */
function choicesIn(schema: JsonObject): JsonObject[] {
  const variants = (schema.anyOf ?? [schema]) as { properties?: Record<string, { enum?: string[] }> }[]
  const chosen = variants.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, { enum: choices = [] }]) =>
      choices.map((choice) => ({ [name]: choice })),
    ),
  )
  return [{}, ...chosen]
}
