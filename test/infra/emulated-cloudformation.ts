import type { Account } from '../../infra/commands/account.ts'
import type { StageData } from '../../infra/stage-facts.ts'
import { stageFacts } from './recording-tools.ts'
import type { StackTemplate, SynthesisedStack } from './synthesise.ts'

interface Held {
  type: string
  name: string
  policy: string
  protected: boolean
}

/**
 * Deploys and deletes stacks as CloudFormation documents it: exports, retention by `DeletionPolicy`, and a rolled back
 * creation, which removes all but `Retain`. It knows nothing of a resource but its name.
 */
export function emulatedCloudFormation() {
  const stacks = new Map<string, { held: Map<string, Held>; template: StackTemplate; failed: boolean }>()
  /** Buckets and tables of the account, in a stack or not. */
  const stored = new Map<string, string>()
  let made = 0

  function remove({ type, name, policy, protected: kept }: Held, isRollback: boolean): void {
    if (!isStored(type) || policy === 'Retain' || (policy === 'RetainExceptOnCreate' && !isRollback)) return
    if (kept) throw new Error(`DELETE_FAILED: ${name} is protected from deletion`)
    stored.delete(name)
  }

  function resolve(value: unknown, stackName: string): string {
    if (typeof value === 'string') return value
    const [[kind, of] = []] = Object.entries(value as Record<string, unknown>)
    if (kind === 'Ref') return stacks.get(stackName)?.held.get(String(of))?.name ?? ''
    if (kind === 'Fn::Join') {
      const [delimiter, parts] = of as [string, unknown[]]
      return parts.map((part) => resolve(part, stackName)).join(delimiter)
    }
    if (kind !== 'Fn::ImportValue') throw new Error(`The emulation knows no ${kind}.`)
    for (const [name, { template, failed }] of stacks) {
      const found = Object.values(template.Outputs ?? {}).find(({ Export }) => Export?.Name === of)
      if (found !== undefined && !failed) return resolve(found.Value, name)
    }
    throw new Error(`No export named ${of} found.`)
  }

  /** @returns false if a resource of the type `failing` stops the deployment. */
  function deploy(stackName: string, template: StackTemplate, failing?: string): boolean {
    const before = stacks.get(stackName)
    const isCreation = before === undefined || before.failed
    const held = new Map(isCreation ? [] : before.held)
    stacks.set(stackName, { held, template, failed: true })
    const created: Held[] = []
    for (const [id, { Type, Properties, DeletionPolicy = 'Delete' }] of Object.entries(template.Resources)) {
      if (Type === failing) {
        for (const one of created) remove(one, true)
        if (isCreation) stacks.set(stackName, { held: new Map(), template, failed: true })
        else stacks.set(stackName, before)
        return false
      }
      if (held.has(id)) continue
      made += 1
      const one = {
        type: Type,
        name: `${stackName}-${id}-${made}`.toLowerCase(),
        policy: DeletionPolicy,
        protected: Properties?.DeletionProtectionEnabled === true,
      }
      held.set(id, one)
      created.push(one)
      if (isStored(Type)) stored.set(one.name, Type)
    }
    for (const [id, one] of held) {
      if (template.Resources[id] !== undefined) continue
      held.delete(id)
      remove(one, false)
    }
    stacks.set(stackName, { held, template, failed: false })
    return true
  }

  function isImported(stackName: string): boolean {
    const names = Object.values(stacks.get(stackName)?.template.Outputs ?? {}).map(
      ({ Export }) => Export?.Name,
    )
    return [...stacks].some(
      ([other, { template, failed }]) =>
        other !== stackName &&
        !failed &&
        names.some((name) => name !== undefined && JSON.stringify(template.Resources).includes(name)),
    )
  }

  const namesIn = (stackName: string): StageData | null => {
    const stack = stacks.get(stackName)
    if (stack === undefined || stack.failed) return null
    const api = Object.values(stack.template.Resources).find(
      ({ Properties }) => Properties?.FunctionName === stackName.concat('-api'),
    )
    const { Variables } = (api?.Properties.Environment ?? {}) as { Variables: Record<string, unknown> }
    return {
      bucket: resolve(Variables.ESPALIER_BUCKET, stackName),
      table: resolve(Variables.ESPALIER_TABLE, stackName),
    }
  }

  const account = {
    async stage(stage) {
      const names = namesIn(`espalier-${stage}`)
      return names && { ...stageFacts, stage, ...names }
    },
    async data(stage) {
      const name = `espalier-${stage}-data`
      const stack = stacks.get(name)
      if (stack === undefined || stack.failed) return null
      const parameter = Object.values(stack.template.Resources).find(
        ({ Properties }) => Properties?.Name === `/espalier/${stage}/data`,
      )
      return JSON.parse(resolve(parameter?.Properties.Value, name)) as StageData
    },
    async leftovers(stage) {
      const ofType = (type: string) =>
        [...stored].flatMap(([name, one]) =>
          one === type && name.startsWith(`espalier-${stage}-data-`) ? [name] : [],
        )
      return { buckets: ofType('AWS::S3::Bucket'), tables: ofType('AWS::DynamoDB::Table') }
    },
    deleteBucket: async (bucket) => void stored.delete(bucket),
    deleteTable: async (table) => void stored.delete(table),
  } satisfies Partial<Account>

  return {
    account,
    stored: () => [...stored.keys()],
    stacks: () => [...stacks].filter(([, { failed }]) => !failed).map(([name]) => name),
    deploy,
    deployAll: (all: SynthesisedStack[], failing?: string) =>
      all.every(({ stackName, template }) => deploy(stackName, template, failing)),
    destroy(stackName: string): void {
      if (isImported(stackName)) throw new Error(`Another stack imports exports of ${stackName}.`)
      for (const one of stacks.get(stackName)?.held.values() ?? []) remove(one, false)
      stacks.delete(stackName)
    },
  }
}

/** The dashboard's bucket goes with its stack, and no test asks for it. */
function isStored(type: string): boolean {
  return type === 'AWS::S3::Bucket' || type === 'AWS::DynamoDB::Table'
}
