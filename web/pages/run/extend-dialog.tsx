import { useState } from 'react'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { fieldErrors } from '../../components/form/field-errors.ts'
import { episodeLimitsSchema, runLimitsSchema } from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { findProblems } from '../../components/schema-fields/settle-value.ts'
import { useMethods } from '../../service/catalogue.ts'
import { ChangeDialog, type RunDialog } from './change-dialog.tsx'
import {
  changedParameters,
  extensionProblems,
  parameterNames,
  removedLimits,
  toExtension,
} from './extension.ts'

export function ExtendDialog(dialog: RunDialog) {
  // Closing the dialog discards its input.
  return <OpenExtendDialog key={String(dialog.isOpen)} {...dialog} />
}

function OpenExtendDialog({ run, ...dialog }: RunDialog) {
  const { episode_limits, limits, method } = run.request
  const { id, ...current } = method
  const [parameters, setParameters] = useState<JsonObject>(current as JsonObject)
  const [ofRun, setOfRun] = useState(limits as JsonObject)
  const [ofEpisodes, setOfEpisodes] = useState(episode_limits as JsonObject)
  const info = useMethods().data?.find((each) => each.id === id)
  const wrong = info === undefined ? {} : extensionProblems(info, parameters, current)
  const removed = {
    limits: removedLimits(ofRun, limits),
    episode_limits: removedLimits(ofEpisodes, episode_limits),
  }
  const isWrong = [
    wrong,
    ...Object.values(removed),
    findProblems(runLimitsSchema, ofRun),
    findProblems(episodeLimitsSchema, ofEpisodes),
  ].some((problems) => Object.keys(problems).length > 0)
  const extension = toExtension({
    method: changedParameters(parameters, current),
    limits: changedParameters(ofRun, limits),
    episode_limits: changedParameters(ofEpisodes, episode_limits),
  })
  const errors = fieldErrors(dialog.change.error)
  return (
    <ChangeDialog
      {...dialog}
      title="Extend the run"
      action="Extend"
      wish={extension === null || isWrong ? null : { change: 'extend', body: extension }}
    >
      <p>
        Every episode continues from where it ended, and nothing is paid for again. What stays as it is below
        does not change.
      </p>
      <MethodFields
        method={id}
        value={parameters}
        onChange={setParameters}
        errors={{ ...errors('method'), ...wrong }}
      />
      <LimitGroup
        legend="Limits of the run"
        note="Reaching one pauses the run."
        schema={runLimitsSchema}
        value={ofRun}
        onChange={setOfRun}
        errors={{ ...errors('limits'), ...removed.limits }}
      />
      <LimitGroup
        legend="Limits of each episode"
        note="An episode that reaches one ends: it is out of steps or budget."
        schema={episodeLimitsSchema}
        value={ofEpisodes}
        onChange={setOfEpisodes}
        errors={{ ...errors('episode_limits'), ...removed.episode_limits }}
      />
    </ChangeDialog>
  )
}

function MethodFields({
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
