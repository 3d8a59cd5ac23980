import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Loaded } from '../../components/loaded.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { useMethods } from '../../service/catalogue.ts'
import { parameterNames } from './extension.ts'

export function MethodFields({
  method: id,
  value,
  onChange,
  errors,
}: {
  method: string
  value: JsonObject
  onChange: (value: JsonObject) => void
  errors: Record<string, string>
}) {
  const methods = useMethods()
  return (
    <Loaded what="the method" query={methods}>
      {(all) => {
        const method = all.find((each) => each.id === id)
        if (method === undefined || method.extendable.length === 0) {
          return (
            <p>
              {id} has no parameter that its episodes could be played on with. Those that a limit ended go on
              with a higher one.
            </p>
          )
        }
        const { extendable, parameters } = method
        return (
          <SchemaFields
            schema={parameters}
            value={value}
            onChange={onChange}
            errors={errors}
            omit={parameterNames(parameters).filter((name) => !extendable.includes(name))}
          />
        )
      }}
    </Loaded>
  )
}
