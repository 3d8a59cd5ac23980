import { z } from 'zod'
import type { MethodInfo, MethodModule } from '../../core/contracts/catalogue.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { type Role, roleSchema } from '../../core/contracts/model-choice.ts'
import { slotsOf } from '../search/prompt-template.ts'
import type { Method } from './method.ts'
import { promptsOf, schemaOf } from './methods.ts'

export function describeMethod(method: Method, module: MethodModule | null = null): MethodInfo {
  const { branches, description, id, parameters, source } = method
  const schema = z.toJSONSchema(parameters, { io: 'input' }) as JsonObject
  const choices = parsed(method, choicesIn(schema))
  const asked = new Set<Role>(choices.flatMap((choice) => method.roles?.(choice) ?? []))
  const [writes = null] = choices.flatMap((choice) => method.sharing?.(choice)?.writes ?? [])
  // Notes can be found by vectors.
  if (writes === 'memory') asked.add('embedding')
  return {
    id,
    object: 'method',
    description,
    source,
    ...(module && { module }),
    parameters: schema,
    branches,
    roles: roleSchema.options.filter((role) => asked.has(role)),
    writes,
    extendable: [
      ...new Set(
        [...choices, ...parsed(method, boundsIn(schema))].flatMap((choice) => method.extendable(choice)),
      ),
    ],
    prompts: promptsOf(method).map(({ id: prompt, purpose, text }) => ({
      id: prompt,
      purpose,
      slots: slotsOf(text),
      text,
    })),
  }
}

function parsed(method: Method, choices: readonly JsonObject[]) {
  return choices.flatMap((given) => {
    const result = schemaOf(method, given).safeParse(given)
    return result.success ? [result.data] : []
  })
}

type Properties = Record<string, { enum?: string[]; minimum?: number; maximum?: number }>

function choicesIn(schema: JsonObject): JsonObject[] {
  const chosen = propertiesIn(schema).flatMap(([name, { enum: choices = [] }]) =>
    choices.map((choice) => ({ [name]: choice })),
  )
  return [{}, ...chosen]
}

function boundsIn(schema: JsonObject): JsonObject[] {
  return propertiesIn(schema).flatMap(([name, { minimum, maximum }]) =>
    [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [{ [name]: bound }])),
  )
}

function propertiesIn(schema: JsonObject) {
  const variants = (schema.anyOf ?? [schema]) as { properties?: Properties }[]
  return variants.flatMap(({ properties = {} }) => Object.entries(properties))
}
